/** `gateway queue …`: the payouts and callbacks that are waiting. */
import type { Command } from 'commander';
import type { ENDPOINTS } from '../../../../contract/endpoints.ts';
import type { AnswerOf } from '../../../../contract/parts/endpoint.ts';
import { actionOf, addCommand, addGroup, type CommandContext } from '../../command-context.ts';
import { formatTable, humanIsoTime } from '../../command-output.ts';

type Queues = AnswerOf<(typeof ENDPOINTS)['queues.show']>;

export function addQueueCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'queue', 'show the backlog of the gateway');
  addCommand(group, 'list', 'list how many payouts and callbacks are queued, and the age of the oldest').action(
    actionOf(context, async (call) => {
      const queues = await call('queues.show');
      return { json: queues, human: queueTable(queues) };
    }),
  );
}

function queueTable({ payouts, callbacks, lateRails }: Queues): string {
  const isLate = (rail: string) => (lateRails.some((late) => late.rail === rail) ? 'late' : '');
  const rows = payouts.map(({ rail, stage, count, oldestSince }) => [
    'payouts',
    rail,
    stage,
    String(count),
    humanIsoTime(oldestSince),
    isLate(rail),
  ]);
  const { waiting, oldestDueAt, lanesPaused } = callbacks;
  const paused = lanesPaused > 0 ? `${lanesPaused} merchants paused` : '';
  const due = oldestDueAt === null ? '' : humanIsoTime(oldestDueAt);
  return formatTable(
    ['QUEUE', 'RAIL', 'STAGE', 'COUNT', 'OLDEST', 'NOTE'],
    [...rows, ['callbacks', '', 'waiting', String(waiting), due, paused]],
    'Nothing waits.',
  );
}

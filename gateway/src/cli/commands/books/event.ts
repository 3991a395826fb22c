/** `gateway event …`: the events of payouts, deposits, callbacks and settings, in the order of their commits. */
import type { Command } from 'commander';
import { actionOf, addCommand, addGroup, type CommandContext } from '../../command-context.ts';
import { formatTable, humanIsoTime } from '../../command-output.ts';
import { readWholeNumber } from '../../read-arguments.ts';

interface ListOptions {
  readonly merchant?: string;
  readonly after?: string;
  readonly limit: number;
}

export function addEventCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'event', 'read events, in the order of their commits');
  addCommand(group, 'list', 'list events after a cursor, oldest first')
    .option('--merchant <merchant>', 'show only this merchant')
    .option('--after <cursor>', 'the cursor that an earlier list printed')
    .option('--limit <count>', 'the maximum number of rows', readWholeNumber(1, 100), 50)
    .action(
      actionOf(context, async (call, { merchant, after, limit }: ListOptions) => {
        const of = merchant === undefined ? {} : { merchantId: merchant };
        const json = await call('events.list', { query: { ...of, ...(after === undefined ? {} : { after }), limit } });
        const rows = json.items.map(({ at, merchantId, object, objectId, event, to, actor, detail }) => [
          humanIsoTime(at),
          merchantId,
          `${object} ${objectId}`,
          event,
          to,
          actor,
          detail,
        ]);
        const table = formatTable(['AT', 'MERCHANT', 'OBJECT', 'EVENT', 'STATE', 'BY', 'DETAIL'], rows, 'None.');
        return { json: json.items, human: `${table}\nContinue with --after ${json.next}` };
      }),
    );
}

/** `gateway pause` and `gateway resume`. */
import type { Command } from 'commander';
import { PAYOUT_PURPOSES } from '../../../domain/methods/payout-purpose.ts';
import { PAUSE_SCOPES, type PauseScope } from '../../../domain/routing/pause-store.ts';
import { actionOf, addCommand, type CommandContext } from '../../command-context.ts';
import { CommandFailure, formatTable, humanIsoTime } from '../../command-output.ts';
import type { CallApi } from '../../manage-api.ts';
import { readOneOf } from '../../read-arguments.ts';

export function addPauseCommands(program: Command, context: CommandContext): void {
  addCommand(
    program,
    'pause',
    'pause the payouts of a merchant, a method, a purpose or a rail; without arguments, list the pauses',
  )
    .argument('[scope]', PAUSE_SCOPES.join(', '), readOneOf(PAUSE_SCOPES))
    .argument('[target]', `a merchant id, a method number, a purpose (${PAYOUT_PURPOSES.join(', ')}) or a rail’s name`)
    .option('--reason <text>', 'the reason; affected payouts show it')
    .action(
      actionOf(
        context,
        async (call, scope: PauseScope | undefined, target: string | undefined, { reason }: { reason?: string }) => {
          if (scope === undefined) return listPauses(call);
          if (target === undefined)
            throw new CommandFailure(`Pass the ${scope} to pause: gateway pause ${scope} ${scope.toUpperCase()}`, 2);
          if (!reason?.trim()) throw new CommandFailure('Pass --reason. The waiting payouts show it', 2);
          const { paused } = await call('pauses.pause', { params: { scope, target }, body: { reason } });
          return {
            json: { paused },
            human: paused
              ? `✓ Paused ${scope} ${target}: accepted payouts wait.`
              : `✓ ${scope} ${target} was already paused.`,
          };
        },
      ),
    );
  addCommand(program, 'resume', 'resume paused payouts')
    .argument('<scope>', PAUSE_SCOPES.join(', '), readOneOf(PAUSE_SCOPES))
    .argument('<target>')
    .action(
      actionOf(context, async (call, scope: PauseScope, target: string) => {
        const { resumed } = await call('pauses.resume', { params: { scope, target } });
        return { json: { resumed }, human: `✓ Resumed ${scope} ${target}; ${resumed} waiting payouts are due now.` };
      }),
    );
}

async function listPauses(call: CallApi) {
  const { items } = await call('pauses.list');
  const rows = items.map(({ scope, target, since, reason }) => [scope, target, humanIsoTime(since), reason]);
  return { json: items, human: formatTable(['SCOPE', 'TARGET', 'SINCE', 'REASON'], rows, 'Nothing is paused.') };
}

/** `gateway pause` and `gateway resume`. */
import type { Command } from 'commander';
import type { GatewayOperations } from '../../domain/management/gateway-operations.ts';
import { PAYOUT_PURPOSES } from '../../domain/methods/payout-purpose.ts';
import { PAUSE_SCOPES, type PauseScope } from '../../domain/routing/pauses.ts';
import { actionOf, addCommand, type CommandContext } from '../command-context.ts';
import { CommandFailure, formatTable, humanTime, jsonTime } from '../command-output.ts';
import { readOneOf } from '../read-arguments.ts';

/** Lists the possible targets in one sentence when `target` is not among them. */
async function targetFault(gateway: GatewayOperations, scope: PauseScope, target: string): Promise<string | undefined> {
  const methods = [...new Set(gateway.rails.list.flatMap((rail) => rail.methods))].sort((left, right) => left - right);
  const names = gateway.rails.list.map((rail) => rail.name);
  const faults: Readonly<Record<PauseScope, () => Promise<string | undefined>>> = {
    merchant: async () => ((await gateway.merchants.find(target)) ? undefined : `There is no merchant "${target}"`),
    method: async () =>
      methods.includes(Number(target))
        ? undefined
        : `No rail carries method "${target}". Methods: ${methods.join(', ')}.`,
    purpose: async () =>
      PAYOUT_PURPOSES.some((purpose) => purpose === target)
        ? undefined
        : `There is no purpose "${target}". Purposes: ${PAYOUT_PURPOSES.join(', ')}.`,
    rail: async () =>
      names.includes(target) ? undefined : `There is no rail "${target}". Rails: ${names.join(', ')}.`,
  };
  return faults[scope]();
}

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
        async (open, scope: PauseScope | undefined, target: string | undefined, { reason }: { reason?: string }) => {
          if (scope === undefined) return listPauses(await open());
          if (target === undefined) throw new CommandFailure(`Name the ${scope} to pause`, 2);
          if (!reason?.trim())
            throw new CommandFailure('--reason is missing: accepted payouts will wait and show it', 2);
          const gateway = await open();
          const fault = await targetFault(gateway, scope, target);
          if (fault) throw new CommandFailure(fault);
          const paused = await gateway.pauses.pause(scope, target, reason);
          return {
            json: { scope, target, paused: true, changed: paused },
            human: paused
              ? `✓ ${scope} ${target} is paused: accepted payouts wait.`
              : `✓ ${scope} ${target} was already paused.`,
          };
        },
      ),
    );
  addCommand(program, 'resume', 'resume paused payouts')
    .argument('<scope>', PAUSE_SCOPES.join(', '), readOneOf(PAUSE_SCOPES))
    .argument('<target>')
    .action(
      actionOf(context, async (open, scope: PauseScope, target: string) => {
        const woken = await (await open()).pauses.resume(scope, target);
        if (woken === undefined) throw new CommandFailure(`${scope} "${target}" is not paused`);
        return {
          json: { scope, target, paused: false, woken },
          human: `✓ ${scope} ${target} is resumed; ${woken} waiting payouts are due now.`,
        };
      }),
    );
}

async function listPauses(gateway: GatewayOperations) {
  const pauses = await gateway.pauses.list();
  const rows = pauses.map(({ scope, target, since, reason }) => [scope, target, humanTime(since), reason]);
  return {
    json: pauses.map(({ scope, target, since, reason }) => ({ scope, target, since: jsonTime(since), reason })),
    human: formatTable(['SCOPE', 'TARGET', 'SINCE', 'REASON'], rows, 'Nothing is paused.'),
  };
}

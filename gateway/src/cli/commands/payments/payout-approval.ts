/** `gateway payout awaiting` and `gateway payout approve`. */
import type { Command } from 'commander';
import { actionOf, addCommand, type CommandContext } from '../../command-context.ts';
import { readWholeNumber } from '../../read-arguments.ts';
import { awaitingTable } from '../../texts/payout-texts.ts';

interface AwaitingOptions {
  readonly merchant?: string;
  readonly limit: number;
}

export function addApprovalCommands(group: Command, context: CommandContext): void {
  addCommand(group, 'awaiting', 'list payouts that wait for approval, the earliest deadline first')
    .option('--merchant <merchant>', 'show only this merchant')
    .option('--limit <count>', 'the maximum number of rows', readWholeNumber(1, 100), 50)
    .action(
      actionOf(context, async (call, { merchant, limit }: AwaitingOptions) => {
        const of = merchant === undefined ? {} : { merchantId: merchant };
        const { items } = await call('payouts.awaiting', { query: { ...of, limit } });
        return { json: items, human: awaitingTable(items) };
      }),
    );
  addCommand(group, 'approve <merchant> <payout_id>', 'approve a payout on behalf of its merchant')
    .requiredOption('--reason <text>', 'the reason; the history shows it')
    .action(
      actionOf(context, async (call, merchantId: string, payoutId: string, { reason }: { reason: string }) => {
        const json = await call('payouts.approve', { params: { merchantId, payoutId }, body: { reason } });
        return { json, human: `✓ Approved payout ${payoutId}. The gateway sends it.` };
      }),
    );
}

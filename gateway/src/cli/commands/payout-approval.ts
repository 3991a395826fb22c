/** `gateway payout awaiting` and `gateway payout approve`. */
import type { Command } from 'commander';
import type { AwaitingPayout } from '../../domain/payouts/lapse-approvals.ts';
import { formatAmount } from '../../foundation/money.ts';
import { actionOf, addCommand, apiActionOf, type CommandContext } from '../command-context.ts';
import { formatTable, humanTime, jsonTime } from '../command-output.ts';
import { payoutJson } from '../payout-texts.ts';
import { readWholeNumber } from '../read-arguments.ts';

interface AwaitingOptions {
  readonly merchant?: string;
  readonly limit: number;
}

export function addApprovalCommands(group: Command, context: CommandContext): void {
  addCommand(group, 'awaiting', 'list payouts that wait for approval, the earliest deadline first')
    .option('--merchant <merchant>', 'only this merchant')
    .option('--limit <count>', 'the maximum number of rows', readWholeNumber(1, 10_000), 50)
    .action(
      actionOf(context, async (open, { merchant, limit }: AwaitingOptions) => {
        const { payouts } = await open();
        const awaiting = await payouts.awaiting({ merchantId: merchant ?? null, after: null, limit });
        return { json: awaiting.map(awaitingJson), human: awaitingTable(awaiting) };
      }),
    );
  addCommand(group, 'approve <merchant> <payout_id>', 'approve a payout that waits for approval, for its merchant')
    .requiredOption('--reason <text>', 'the reason; the history shows it')
    .action(
      apiActionOf(context, async (call, merchantId: string, payoutId: string, { reason }: { reason: string }) => {
        const json = await call('payouts.approve', { params: { merchantId, payoutId }, body: { reason } });
        return { json, human: `✓ Payout ${payoutId} is approved, and the gateway sends it.` };
      }),
    );
}

function awaitingJson({ payout, approveBy }: AwaitingPayout) {
  return { ...payoutJson(payout), approve_by: jsonTime(approveBy) };
}

function awaitingTable(awaiting: readonly AwaitingPayout[]): string {
  const rows = awaiting.map(({ payout, approveBy }) => [
    humanTime(approveBy),
    payout.merchantId,
    payout.payoutId,
    `${formatAmount(payout.money)} ${payout.money.currency}`,
    payout.beneficiary.accountShown,
  ]);
  return formatTable(['APPROVE BY', 'MERCHANT', 'PAYOUT', 'AMOUNT', 'ACCOUNT'], rows, 'No payout waits for approval.');
}

/** `gateway payout …`. */
import type { Command } from 'commander';
import { PAYOUT_STATES, type PayoutState } from '../../domain/payouts/payout.ts';
import { actionOf, addCommand, addGroup, type CommandContext } from '../command-context.ts';
import { CommandFailure } from '../command-output.ts';
import { payoutJson, payoutRecordJson, payoutRecordText, payoutTable } from '../payout-texts.ts';
import { readOneOf, readWholeNumber } from '../read-arguments.ts';
import { cancelFailure } from '../refusals.ts';

interface ListOptions {
  readonly merchant?: string;
  readonly state?: PayoutState;
  readonly rail?: string;
  readonly limit: number;
}

export function addPayoutCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'payout', 'look at payouts and cancel them');
  addCommand(group, 'list', 'payouts, the newest first')
    .option('--merchant <merchant>', 'of one merchant')
    .option('--state <state>', PAYOUT_STATES.join(', '), readOneOf(PAYOUT_STATES))
    .option('--rail <rail>', 'of one rail')
    .option('--limit <count>', 'at most so many', readWholeNumber(1, 10_000), 50)
    .action(
      actionOf(context, async (open, { merchant, state, rail, limit }: ListOptions) => {
        const search = { merchantId: merchant ?? null, state: state ?? null, rail: rail ?? null, limit };
        const payouts = await (await open()).payouts.search(search);
        return { json: payouts.map(payoutJson), human: payoutTable(payouts) };
      }),
    );
  addCommand(group, 'show <merchant> <payout_id>', 'a payout, why it is pending, and all that happened to it').action(
    actionOf(context, async (open, merchantId: string, payoutId: string) => {
      const found = await (await open()).payouts.find({ merchantId, payoutId });
      if (!found) throw new CommandFailure(`Merchant "${merchantId}" has no payout "${payoutId}"`);
      return { json: payoutRecordJson(found), human: payoutRecordText(found) };
    }),
  );
  addCommand(group, 'cancel <merchant> <payout_id>', 'give the money back, while no bank was told')
    .requiredOption('--reason <text>', 'why, for the record')
    .action(
      actionOf(context, async (open, merchantId: string, payoutId: string, { reason }: { reason: string }) => {
        const cancelled = await (await open()).payouts.cancel({ merchantId, payoutId }, reason);
        if (!cancelled.ok) throw cancelFailure(cancelled.error);
        return {
          json: { merchant: merchantId, payout_id: payoutId, state: 'blocked', code: '55' },
          human: `✓ Payout ${payoutId} is cancelled; its amount and fee are available again.`,
        };
      }),
    );
}

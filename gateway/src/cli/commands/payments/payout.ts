/** `gateway payout …`. */
import type { Command } from 'commander';
import { PAYOUT_PURPOSES } from '../../../domain/methods/payout-purpose.ts';
import { BLOCKED_REASONS, type BlockedReason, PAYOUT_STATES } from '../../../domain/payouts/payout.ts';
import { RESOLUTION_OUTCOMES, type ResolutionOutcome } from '../../../domain/payouts/resolve-payout.ts';
import { actionOf, addCommand, addGroup, type CommandContext } from '../../command-context.ts';
import { CommandFailure } from '../../command-output.ts';
import { readOneOf, readWholeNumber } from '../../read-arguments.ts';
import { overduePayoutTable } from '../../texts/overdue-texts.ts';
import { payoutRecordText, payoutTable } from '../../texts/payout-texts.ts';
import { AMOUNTS, addListCommand, type ListCommand, type ListOption, RAIL, TRANSACTION } from '../list-command.ts';
import { addNewPayoutCommands } from './new-payout.ts';
import { addApprovalCommands } from './payout-approval.ts';

export const PAYOUT_OPTIONS: readonly ListOption[] = [
  { filter: 'state', flags: '--state <state>', help: PAYOUT_STATES.join(', '), read: readOneOf(PAYOUT_STATES) },
  { filter: 'method', flags: '--method <number>', help: 'only payouts of this method', read: readWholeNumber(1, 999) },
  { filter: 'account', flags: '--account <account>', help: 'only payouts to this account, as the list shows it' },
  { filter: 'lastFour', flags: '--last-four <characters>', help: 'only accounts that end with these characters' },
  { filter: 'payoutId', flags: '--payout <id>', help: 'only payouts with this id of a merchant' },
  { filter: 'blockedReason', flags: '--blocked-reason <reason>', help: 'such as bank_declined' },
  RAIL,
  TRANSACTION,
  ...AMOUNTS,
];

const PAYOUT_LIST: ListCommand<'payouts'> = {
  list: 'payouts',
  summary: 'list payouts, newest first',
  options: [
    ...PAYOUT_OPTIONS,
    { filter: 'batchId', flags: '--batch-id <batch_id>', help: 'only payouts of this batch; it needs --merchant' },
    {
      filter: 'purpose',
      flags: '--purpose <purpose>',
      help: PAYOUT_PURPOSES.join(', '),
      read: readOneOf(PAYOUT_PURPOSES),
    },
  ],
  table: payoutTable,
};

export function addPayoutCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'payout', 'create, list, show, approve, cancel and resolve payouts');
  addListCommand(group, context, 'list', PAYOUT_LIST);
  addCommand(
    group,
    'overdue',
    'list payouts that are pending past their deadline. Resolve a payout with "payout resolve"',
  )
    .option('--limit <count>', 'the maximum number of rows', readWholeNumber(1, 100), 50)
    .action(
      actionOf(context, async (call, { limit }: { limit: number }) => {
        const { items } = await call('payouts.overdue', { query: { limit } });
        return { json: items, human: overduePayoutTable(items) };
      }),
    );
  addCommand(group, 'show <merchant> <payout_id>', 'show a payout, why it is pending, and its history').action(
    actionOf(context, async (call, merchantId: string, payoutId: string) => {
      const json = await call('payouts.show', { params: { merchantId, payoutId } });
      return { json, human: payoutRecordText(json) };
    }),
  );
  addNewPayoutCommands(group, context);
  addApprovalCommands(group, context);
  addCommand(group, 'cancel <merchant> <payout_id>', 'cancel a payout that no bank received, and release its money')
    .requiredOption('--reason <text>', 'the reason; the history shows it')
    .action(
      actionOf(context, async (call, merchantId: string, payoutId: string, { reason }: { reason: string }) => {
        const json = await call('payouts.cancel', { params: { merchantId, payoutId }, body: { reason } });
        return { json, human: `✓ Cancelled payout ${payoutId}. Its amount and fee are available again.` };
      }),
    );
  addCommand(
    group,
    'ask <merchant> <payout_id>',
    'query the provider about a payout now; a final response completes the payout',
  )
    .option('--rail <rail>', 'the rail to query; defaults to the rail of the latest attempt')
    .action(
      actionOf(context, async (call, merchantId: string, payoutId: string, { rail }: { rail?: string }) => {
        const json = await call('payouts.ask', { params: { merchantId, payoutId }, body: rail ? { rail } : {} });
        const what = json.changed ? 'Recorded' : 'No change';
        return {
          json,
          human: `✓ ${json.rail} reports ${json.reference} as ${json.theirs}. ${what}; the payout is ${json.payout.state}.`,
        };
      }),
    );
  addResolve(group, context);
}

interface ResolveOptions {
  readonly outcome: ResolutionOutcome;
  readonly evidence: string;
  readonly code?: BlockedCode;
  readonly rail?: string;
}

type BlockedCode = (typeof BLOCKED_REASONS)[BlockedReason]['code'];

/** The operator gives the reason as the code that the merchant sees. */
const REASONS_BY_CODE = new Map(
  Object.entries(BLOCKED_REASONS).map(([reason, { code }]) => [code, reason as BlockedReason]),
);
const BLOCKED_CODES = [...REASONS_BY_CODE.keys()];

function addResolve(group: Command, context: CommandContext): void {
  addCommand(
    group,
    'resolve <merchant> <payout_id>',
    'record the outcome of a payout that a bank confirmed outside its API',
  )
    .requiredOption('--outcome <outcome>', RESOLUTION_OUTCOMES.join(', '), readOneOf(RESOLUTION_OUTCOMES))
    .requiredOption('--evidence <text>', 'the proof and its date')
    .option('--rail <rail>', 'the rail that executed it, if the payout was rerouted; defaults to its current rail')
    .option('--code <code>', `the decline code: ${BLOCKED_CODES.join(', ')}`, readOneOf(BLOCKED_CODES))
    .action(
      actionOf(context, async (call, merchantId: string, payoutId: string, options: ResolveOptions) => {
        const { outcome, evidence, code, rail } = options;
        if (code !== undefined && outcome !== 'declined')
          throw new CommandFailure('--code requires --outcome declined', 2);
        const blockedReason = code && REASONS_BY_CODE.get(code);
        const body = { outcome, reason: evidence, ...(rail && { rail }), ...(blockedReason && { blockedReason }) };
        const params = { merchantId, payoutId };
        const json = await call('payouts.resolve', { params, body }, { reason: 'evidence' });
        return {
          json,
          human: json.adjustment
            ? `✓ Recorded adjustment of ${payoutId}: ${json.adjustment}. The final state is unchanged.`
            : `✓ Resolved payout ${payoutId}: ${json.state}.`,
        };
      }),
    );
}

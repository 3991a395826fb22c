/** `gateway ledger …`: movements, journals, balances at any time, and volumes. */
import type { Command } from 'commander';
import type { LedgerLine } from '../../../../contract/parts/answer-parts.ts';
import { GRAINS, type Grain } from '../../../domain/ledger/volume.ts';
import type { Instant } from '../../../foundation/clock.ts';
import { actionOf, addCommand, addGroup, type CommandContext } from '../../command-context.ts';
import { formatRecords, formatTable, humanIsoTime, humanTime } from '../../command-output.ts';
import { readOneOf, readTime } from '../../read-arguments.ts';
import { AMOUNTS, addListCommand, type ListCommand } from '../list-command.ts';

interface VolumeOptions {
  readonly merchant?: string;
  readonly since: Instant;
  readonly until: Instant;
  readonly per: Grain;
}

export function addLedgerCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'ledger', 'read the ledger: movements, balances and volumes');
  addCommand(group, 'balance', 'show the balances of a merchant at any time')
    .argument('<merchant>')
    .requiredOption(
      '--at <time>',
      'UTC, such as 2026-11-20 or "2026-11-20 10:00:00"; postings before it are included',
      readTime,
    )
    .action(
      actionOf(context, async (call, merchantId: string, { at }: { at: Instant }) => {
        const json = await call('balances.show', { params: { merchantId }, query: { at: iso(at) } });
        const rows = json.balances.map(({ currency, available, reserved, owed, total }) => [
          currency,
          available,
          reserved,
          owed,
          total,
        ]);
        const header = ['CURRENCY', 'AVAILABLE', 'RESERVED', 'OWED', 'TOTAL'];
        const table = formatTable(header, rows, `${merchantId} had no money at ${humanTime(at)}.`);
        return { json, human: json.isFinal ? table : `${table}\n${NOT_CLOSED}` };
      }),
    );
  addListCommand(group, context, 'list', LEDGER_LIST);
  addShow(group, context);
  addTrialBalance(group, context);
  addVolumes(group, context);
}

const LEDGER_LIST: ListCommand<'ledger'> = {
  list: 'ledger',
  summary: 'list the movements of money between accounts, newest first',
  options: [
    { filter: 'account', flags: '--account <account>', help: 'such as available, reserved, fees or clearing:stp' },
    { filter: 'kind', flags: '--kind <kind>', help: 'such as deposit or payout_fee' },
    ...AMOUNTS,
    { filter: 'journal', flags: '--journal <journal>', help: 'such as payout/A17/reserve' },
  ],
  table: (lines) =>
    formatTable(
      ['TIME', 'MERCHANT', 'JOURNAL', 'KIND', 'FROM', 'TO', 'AMOUNT'],
      lines.map((line) => [humanIsoTime(line.at), line.merchantId, line.journal, ...cellsOf(line)]),
      'No movements match the filters.',
    ),
};

const NOT_CLOSED = 'This period is not closed yet: the balances may still change.';

function iso(instant: Instant): string {
  return new Date(instant).toISOString();
}

function cellsOf({ kind, debit, credit, currency, amount }: LedgerLine): string[] {
  return [kind, debit, credit, `${amount} ${currency}`];
}

function addShow(group: Command, context: CommandContext): void {
  addCommand(group, 'show <merchant> <journal>', 'show a journal with its movements and its payment').action(
    actionOf(context, async (call, merchantId: string, journalId: string) => {
      const json = await call('ledger.show', { params: { merchantId, journalId } });
      const { lines, payoutId, orderId, transactionId } = json;
      const movements = formatTable(
        ['TIME', 'KIND', 'FROM', 'TO', 'AMOUNT', 'REASON'],
        lines.map((line) => [humanIsoTime(line.at), ...cellsOf(line), line.note ?? '']),
        '',
      );
      const payment = [
        ...(payoutId === null ? [] : [`payout ${payoutId}`]),
        ...(orderId === null ? [] : [`order ${orderId}`]),
        ...(transactionId === null ? [] : [`transaction ${transactionId}`]),
      ];
      return {
        json,
        human: payment.length === 0 ? movements : `${movements}\nBelongs to ${payment.join(', ')}.`,
      };
    }),
  );
}

function addTrialBalance(group: Command, context: CommandContext): void {
  addCommand(group, 'trial-balance', 'show the balance of each account over all merchants at any time')
    .requiredOption('--at <time>', 'count only postings before this time (UTC)', readTime)
    .action(
      actionOf(context, async (call, { at }: { at: Instant }) => {
        const json = await call('ledger.trialBalance', { query: { at: iso(at) } });
        const totals = json.totals.map((total) => ({ ...total, account: 'total' }));
        const rows = [...json.items, ...totals].map((row) => [row.currency, row.account, row.debit, row.credit]);
        const header = ['CURRENCY', 'ACCOUNT', 'DEBIT', 'CREDIT'];
        const table = formatTable(header, rows, 'Nothing was posted before this time.');
        return { json, human: json.isFinal ? table : `${table}\n${NOT_CLOSED}`, csv: formatRecords(json.items) };
      }),
    );
}

function addVolumes(group: Command, context: CommandContext): void {
  addCommand(group, 'volumes', 'count the payments of closed hours by method, rail, currency and state')
    .requiredOption('--since <time>', 'the beginning, UTC', readTime)
    .requiredOption('--until <time>', 'the end, exclusive, UTC', readTime)
    .option('--merchant <merchant>', 'only of this merchant; defaults to all merchants together')
    .option('--per <grain>', 'hour, day or week', readOneOf(GRAINS), 'day')
    .action(
      actionOf(context, async (call, { merchant, since, until, per }: VolumeOptions) => {
        const of = merchant === undefined ? {} : { merchantId: merchant };
        const json = await call('volumes.list', { query: { ...of, from: iso(since), until: iso(until), by: per } });
        const rows = json.items.map(({ start, flow, method, rail, currency, state, payments, amount, fee }) => [
          humanIsoTime(start),
          flow,
          method,
          rail,
          currency,
          state,
          String(payments),
          amount,
          fee,
        ]);
        const header = ['START', 'FLOW', 'METHOD', 'RAIL', 'CURRENCY', 'STATE', 'PAYMENTS', 'AMOUNT', 'FEES'];
        return { json, human: formatTable(header, rows, 'No payments match.'), csv: formatRecords(json.items) };
      }),
    );
}

/** `gateway ledger …`: movements, journals, balances at any time, and volumes. */
import type { Command } from 'commander';
import { balanceOf, type LedgerLine } from '../../domain/ledger/transfer.ts';
import { totalTrialBalance } from '../../domain/ledger/trial-balance.ts';
import { GRAINS, type Grain, type Volume, WAIT_BUCKETS_MS } from '../../domain/ledger/volume.ts';
import type { Instant } from '../../foundation/clock.ts';
import { formatAmount } from '../../foundation/money.ts';
import { actionOf, addCommand, addGroup, type CommandContext } from '../command-context.ts';
import { CommandFailure, formatTable, humanTime, jsonTime } from '../command-output.ts';
import { balancesJson } from '../merchant-texts.ts';
import { readOneOf, readTime } from '../read-arguments.ts';
import { addListCommand, type ListCommand } from './list-command.ts';

interface VolumeOptions {
  readonly merchant?: string;
  readonly from: Instant;
  readonly until: Instant;
  readonly by: Grain;
}

export function addLedgerCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'ledger', 'read the ledger: movements, balances and volumes');
  addCommand(group, 'balance', 'show the balances of a merchant at any time')
    .argument('<merchant>')
    .requiredOption(
      '--at <time>',
      'UTC, such as 2026-11-20 or "2026-11-20 10:00:00"; postings before it count',
      readTime,
    )
    .action(
      actionOf(context, async (open, merchantId: string, { at }: { at: Instant }) => {
        const found = await (await open()).ledger.balancesAt(merchantId, at);
        if (!found) throw new CommandFailure(`There is no merchant "${merchantId}".`);
        const isFinal = at <= found.closedUntil;
        const rows = [...found.balances].map(([currency, held]) => {
          const total = balanceOf(held, 'available') + balanceOf(held, 'reserved') + balanceOf(held, 'owed');
          return { currency, ...balancesJson(currency, held), total: formatAmount({ currency, minor: total }) };
        });
        const table = formatTable(
          ['CURRENCY', 'AVAILABLE', 'RESERVED', 'OWED', 'TOTAL'],
          rows.map((row) => [row.currency, row.available, row.reserved, row.owed, row.total]),
          `${merchantId} had no money at ${humanTime(at)}.`,
        );
        return {
          json: { merchant: merchantId, at: jsonTime(at), is_final: isFinal, balances: rows },
          human: isFinal ? table : `${table}\nThis time is not closed yet: the balances may still change.`,
        };
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
    { filter: 'currency', flags: '--currency <currency>', help: 'only this currency' },
    { filter: 'journal', flags: '--journal <journal>', help: 'such as payout/A17/reserve' },
  ],
  json: ({ merchantId, line, ...rest }) => ({ merchant: merchantId, line, ...lineJson(rest) }),
  table: (lines) =>
    formatTable(
      ['TIME', 'MERCHANT', 'JOURNAL', 'KIND', 'FROM', 'TO', 'AMOUNT'],
      lines.map((line) => [humanTime(line.postedAt), line.merchantId, line.journalId, ...cellsOf(line)]),
      'The ledger has no such movement.',
    ),
};

function cellsOf({ kind, debit, credit, currency, amount }: LedgerLine): string[] {
  return [kind, debit, credit, `${formatAmount({ currency, minor: amount })} ${currency}`];
}

function lineJson({ journalId, kind, currency, debit, credit, amount, note, postedAt }: LedgerLine) {
  const money = { currency, amount: formatAmount({ currency, minor: amount }) };
  return { at: jsonTime(postedAt), journal: journalId, kind, debit, credit, ...money, note };
}

function addShow(group: Command, context: CommandContext): void {
  addCommand(group, 'show <merchant> <journal>', 'show a journal with its movements and its payment').action(
    actionOf(context, async (open, merchantId: string, journalId: string) => {
      const found = await (await open()).ledger.journal(merchantId, journalId);
      if (!found) throw new CommandFailure(`The ledger of merchant "${merchantId}" has no journal "${journalId}".`);
      const { lines, payoutId, orderId, transactionId } = found;
      const movements = formatTable(
        ['TIME', 'KIND', 'FROM', 'TO', 'AMOUNT', 'REASON'],
        lines.map((line) => [humanTime(line.postedAt), ...cellsOf(line), line.note ?? '']),
        '',
      );
      const payment = [
        ...(payoutId === null ? [] : [`payout ${payoutId}`]),
        ...(orderId === null ? [] : [`order ${orderId}`]),
        ...(transactionId === null ? [] : [`transaction ${transactionId}`]),
      ];
      return {
        json: {
          ...{ merchant: merchantId, journal: journalId, payout_id: payoutId, order_id: orderId },
          ...{ transaction_id: transactionId, lines: lines.map(lineJson) },
        },
        human: payment.length === 0 ? movements : `${movements}\nBelongs to ${payment.join(', ')}.`,
      };
    }),
  );
}

function addTrialBalance(group: Command, context: CommandContext): void {
  addCommand(group, 'trial-balance', 'show the balance of each account over all merchants at any time')
    .requiredOption('--at <time>', 'UTC; postings before it count', readTime)
    .action(
      actionOf(context, async (open, { at }: { at: Instant }) => {
        const { lines, closedUntil } = await (await open()).ledger.trialBalance(at);
        const { entries, totals, isBalanced } = totalTrialBalance(lines);
        const isFinal = at <= closedUntil;
        const amounts = ({ currency, debit, credit }: (typeof totals)[number]) => ({
          debit: formatAmount({ currency, minor: debit }),
          credit: formatAmount({ currency, minor: credit }),
        });
        const items = entries.map((entry) => ({ currency: entry.currency, account: entry.account, ...amounts(entry) }));
        const sums = totals.map((total) => ({ currency: total.currency, account: 'total', ...amounts(total) }));
        const table = formatTable(
          ['CURRENCY', 'ACCOUNT', 'DEBIT', 'CREDIT'],
          [...items, ...sums].map((row) => Object.values(row)),
          'Nothing was posted before this time.',
        );
        return {
          json: { at: jsonTime(at), is_final: isFinal, is_balanced: isBalanced, accounts: items, totals: sums },
          human: isFinal ? table : `${table}\nThis time is not closed yet: the balances may still change.`,
        };
      }),
    );
}

function addVolumes(group: Command, context: CommandContext): void {
  addCommand(group, 'volumes', 'count the payments of closed hours by method, rail, currency and state')
    .requiredOption('--from <time>', 'the beginning, UTC', readTime)
    .requiredOption('--until <time>', 'the end, exclusive, UTC', readTime)
    .option('--merchant <merchant>', 'only of this merchant; default: all together')
    .option('--by <grain>', 'hour, day or week', readOneOf(GRAINS), 'day')
    .action(
      actionOf(context, async (open, { merchant, from, until, by }: VolumeOptions) => {
        const query = { merchantId: merchant ?? null, from, until, grain: by };
        const { volumes } = await (await open()).ledger.volumes(query);
        return {
          json: { wait_buckets_ms: WAIT_BUCKETS_MS, volumes: volumes.map(volumeJson) },
          human: formatTable(
            ['START', 'FLOW', 'METHOD', 'RAIL', 'CURRENCY', 'STATE', 'PAYMENTS', 'AMOUNT', 'FEES'],
            volumes.map((volume) => Object.values(volumeJson(volume)).slice(0, 9).map(String)),
            'There were no payments.',
          ),
        };
      }),
    );
}

function volumeJson({ start, flow, method, rail, currency, state, payments, amount, fee, waits }: Volume) {
  return {
    ...{ start: jsonTime(start), flow, method, rail, currency, state, payments },
    amount: formatAmount({ currency, minor: amount }),
    fee: formatAmount({ currency, minor: fee }),
    waits,
  };
}

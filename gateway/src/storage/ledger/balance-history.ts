/** Reads balances at any instant from the last snapshot of each account and the few postings after it. */
import type { BalanceHistory, BalancesAt, TrialBalance } from '../../domain/ledger/ledger-store.ts';
import type { AccountName, Balances } from '../../domain/ledger/transfer.ts';
import { HOUR_MS, type Instant } from '../../foundation/clock.ts';
import type { Currency } from '../../foundation/currency.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Database } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';

export interface BalanceRow {
  readonly currency: Currency;
  readonly account: AccountName;
  readonly balance: bigint;
}

export function byCurrency(rows: readonly BalanceRow[]): Map<Currency, Balances> {
  const all = new Map<Currency, Record<string, bigint>>();
  for (const { currency, account, balance } of rows) {
    all.set(currency, { ...all.get(currency), [account]: balance });
  }
  return all;
}

async function readClosedUntil(database: Database, merchantId: MerchantId): Promise<Instant> {
  const [row] = await database.query<{ closed_until: Instant }>(
    'select closed_until from ledger_closings where merchant_id = $1',
    [merchantId],
  );
  return row?.closed_until ?? Number.NEGATIVE_INFINITY;
}

export async function balancesAt(database: Database, merchantId: MerchantId, at: Instant): Promise<BalancesAt> {
  const closedUntil = await readClosedUntil(database, merchantId);
  // If an hour closes between the two reads, the result stays correct.
  const since = Math.min(Math.floor(at / HOUR_MS) * HOUR_MS, closedUntil);
  const rows = await database.query<BalanceRow>(BALANCES_AT, [merchantId, timestamp(since), timestamp(at)]);
  return { balances: byCurrency(rows), closedUntil };
}

const BALANCES_AT = `
select currency, account, sum(amount)::bigint as balance from (
  select a.currency, a.account, s.balance as amount from ledger_accounts as a
  cross join lateral (
    select balance from ledger_snapshots as s
    where s.merchant_id = a.merchant_id and s.currency = a.currency and s.account = a.account and s.at <= $2
    order by s.at desc limit 1) as s
  where a.merchant_id = $1
  union all
  select currency, debit_account, -amount from ledger_transfers
  where merchant_id = $1 and posted_at >= $2 and posted_at < $3
  union all
  select currency, credit_account, amount from ledger_transfers
  where merchant_id = $1 and posted_at >= $2 and posted_at < $3) as parts
group by currency, account order by currency, account`;

export async function balanceHistory(
  database: Database,
  merchantId: MerchantId,
  points: readonly Instant[],
): Promise<BalanceHistory> {
  const closedUntil = await readClosedUntil(database, merchantId);
  const closed = points.filter((at) => at <= closedUntil);
  const rows = await database.query<BalanceRow & { at: Instant }>(HISTORY, [merchantId, closed.map(timestamp)]);
  const found = Map.groupBy(rows, ({ at }) => at);
  return { points: closed.map((at) => ({ at, balances: byCurrency(found.get(at) ?? []) })), closedUntil };
}

/** A closed full hour needs no postings: the last snapshot of each account is its balance. */
const HISTORY = `
select * from (
  select p.at, a.currency, a.account, (
    select s.balance from ledger_snapshots as s
    where s.merchant_id = a.merchant_id and s.currency = a.currency and s.account = a.account and s.at <= p.at
    order by s.at desc limit 1) as balance
  from ledger_accounts as a cross join unnest($2::timestamptz[]) as p (at) where a.merchant_id = $1) as history
where balance is not null order by currency, account`;

interface TrialRow {
  readonly currency: Currency;
  readonly account: AccountName;
  readonly balance: string;
}

export async function trialBalance(database: Database, at: Instant): Promise<TrialBalance> {
  const [row] = await database.query<{ closed_until: Instant | null }>(CLOSED_FOR_ALL);
  const closedUntil = row?.closed_until ?? Number.NEGATIVE_INFINITY;
  const since = Math.min(Math.floor(at / HOUR_MS) * HOUR_MS, closedUntil);
  const lines = await database.query<TrialRow>(TRIAL_BALANCE, [timestamp(since), timestamp(at)]);
  return { lines: lines.map((line) => ({ ...line, balance: BigInt(line.balance) })), closedUntil };
}

/** Minus infinity during the first hour of a merchant's first posting. */
const CLOSED_FOR_ALL = `
select min(coalesce(c.closed_until, '-infinity')) as closed_until
from (select distinct merchant_id from ledger_accounts) as m left join ledger_closings as c using (merchant_id)`;

/** Reads each merchant's last snapshot, and the postings after it. Only postings since $1 can be newer than a snapshot. */
const TRIAL_BALANCE = `
with recent as materialized (
  select t.currency, t.debit_account, t.credit_account, t.amount from ledger_transfers as t
  left join ledger_closings as c on c.merchant_id = t.merchant_id
  where t.posted_at >= $1 and t.posted_at < $2
    and t.posted_at >= least(coalesce(c.closed_until, '-infinity'), date_trunc('hour', $2::timestamptz)))
select currency, account, sum(amount)::text as balance from (
  select a.currency, a.account, s.balance as amount from ledger_accounts as a
  join ledger_closings as c on c.merchant_id = a.merchant_id
  cross join lateral (
    select balance from ledger_snapshots as s
    where s.merchant_id = a.merchant_id and s.currency = a.currency and s.account = a.account
      and s.at <= least(c.closed_until, date_trunc('hour', $2::timestamptz))
    order by s.at desc limit 1) as s
  union all select currency, debit_account, -amount from recent
  union all select currency, credit_account, amount from recent) as parts
group by currency, account having sum(amount) <> 0 order by currency, account`;

/** Reads balances at any instant: the last snapshot of each account, and the few postings after it. */
import type { BalancesAt } from '../../domain/ledger/ledger-store.ts';
import type { AccountName, Balances } from '../../domain/ledger/transfer.ts';
import { HOUR_MS, type Instant } from '../../foundation/clock.ts';
import type { Currency } from '../../foundation/currency.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { type Database, timestamp } from '../core/database.ts';

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

export async function readClosedUntil(database: Database, merchantId: MerchantId): Promise<Instant> {
  const [row] = await database.query<{ closed_until: Instant }>(
    'select closed_until from ledger_closings where merchant_id = $1',
    [merchantId],
  );
  return row?.closed_until ?? Number.NEGATIVE_INFINITY;
}

export async function balancesAt(database: Database, merchantId: MerchantId, at: Instant): Promise<BalancesAt> {
  const closedUntil = await readClosedUntil(database, merchantId);
  // What closes between the two reads changes nothing before it.
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

/** Implements ClosingStore over PostgreSQL: announces, waits for open postings, and stores the content of closed hours. */
import type { ClosingStore } from '../../domain/ledger/closing-store.ts';
import { STEP_BY_STEP } from '../core/cluster-text.ts';
import type { Database } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';
import { hourlyVolumes } from './hourly-volumes.ts';
import { lockMerchants } from './ledger-posting.ts';

export function createClosingStore(database: Database): ClosingStore {
  return {
    async announce(until) {
      await database.query(ANNOUNCE, [timestamp(until)]);
    },
    async open(until) {
      return database.query(OPEN, [timestamp(until)]);
    },
    // Outside a transaction, so that the lock is released as soon as it is granted.
    awaitPostings: (merchantId) => lockMerchants(database, [merchantId]),
    async close(merchantIds, from, until) {
      await database.longTransaction(async (transaction) => {
        const marked = await transaction.query<{ merchant_id: string }>(MARK, [
          merchantIds,
          timestamp(from),
          timestamp(until),
        ]);
        const values = [marked.map((row) => row.merchant_id), timestamp(from), timestamp(until)];
        await transaction.query(KEEP_SNAPSHOTS, values);
        await transaction.query(KEEP_VOLUMES, values);
      });
    },
  };
}

const ANNOUNCE = `
insert into ledger_closings as c (merchant_id, closing_until, closed_until)
select m.merchant_id, $1, '-infinity' from merchants as m
on conflict (merchant_id) do update set closing_until = excluded.closing_until
where c.closing_until < excluded.closing_until`;

const OPEN = `
select merchant_id as "merchantId", closed_until as "closedUntil" from ledger_closings
where closed_until < $1 and closing_until >= $1`;

const MARK = `
update ledger_closings set closed_until = $3
where merchant_id = any($1::text[]) and closed_until = $2 and closing_until >= $3
returning merchant_id`;

/** The change of each account per hour, from the postings of a time range. */
const MOVED = `
  select merchant_id, currency, account, date_trunc('hour', posted_at) + interval '1 hour' as at, sum(amount) as amount
  from (
    select merchant_id, currency, debit_account as account, posted_at, -amount as amount from ledger_transfers
    where merchant_id = any($1::text[]) and posted_at >= $2 and posted_at < $3
    union all
    select merchant_id, currency, credit_account, posted_at, amount from ledger_transfers
    where merchant_id = any($1::text[]) and posted_at >= $2 and posted_at < $3) as sides
  group by 1, 2, 3, 4`;

const KEEP_SNAPSHOTS = `${STEP_BY_STEP}
with moved as materialized (${MOVED}),
began as materialized (
  select a.merchant_id, a.currency, a.account, s.balance from ledger_accounts as a
  cross join lateral (
    select balance from ledger_snapshots as s
    where s.merchant_id = a.merchant_id and s.currency = a.currency and s.account = a.account and s.at <= $2
    order by s.at desc limit 1) as s
  where a.merchant_id = any($1::text[]))
insert into ledger_snapshots (merchant_id, currency, account, at, balance)
select m.merchant_id, m.currency, m.account, m.at, coalesce(b.balance, 0) + sum(m.amount) over (
  partition by m.merchant_id, m.currency, m.account order by m.at)
from moved as m
left join began as b on b.merchant_id = m.merchant_id and b.currency = m.currency and b.account = m.account`;

const KEEP_VOLUMES = `
insert into payment_volumes (merchant_id, hour, flow, method, rail, currency, state, payments, amount, fee, waits)
${hourlyVolumes('merchant_id = any($1::text[]) and posted_at >= $2 and posted_at < $3')}`;

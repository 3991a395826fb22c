/** The invariants of closed hours: what is kept about them follows from the ledger alone. */
import { hourlyVolumes } from '../ledger/hourly-volumes.ts';
import type { Invariant } from './invariant.ts';

/** Closed postings of the merchant at hand. The continuous check reads the last days; only the full check reads all. */
const CLOSED = `posted_at < (select c.closed_until from ledger_closings as c where c.merchant_id = ledger_transfers.merchant_id)`;
const RECENT = `(select max(closed_until) - interval '2 days' from ledger_closings)`;
const CLOSED_RECENTLY = `posted_at >= ${RECENT} and posted_at < (select max(closed_until) from ledger_closings)`;

const SNAPSHOTS = (part: string, isChecked: string) => `
  select merchant_id, currency, account, at, kept.change as kept, moved.change as moved
  from (
    select * from (
      select merchant_id, currency, account, at,
        balance - lag(balance, 1, 0::bigint) over (partition by merchant_id, currency, account order by at) as change
      from ledger_snapshots) as each
    where ${isChecked}) as kept
  full join (
    select merchant_id, currency, account, date_trunc('hour', posted_at) + interval '1 hour' as at, sum(amount) as change
    from (
      select merchant_id, currency, debit_account as account, posted_at, -amount as amount from ledger_transfers where ${part}
      union all
      select merchant_id, currency, credit_account, posted_at, amount from ledger_transfers where ${part}) as sides
    group by 1, 2, 3, 4) as moved using (merchant_id, currency, account, at)
  where kept.change is distinct from moved.change`;

const VOLUMES = (part: string, isChecked: string) => `
  select merchant_id, hour, flow, currency, state, kept.payments as kept, posted.payments as posted,
    kept.amount as kept_amount, posted.amount as posted_amount
  from (
    select merchant_id, hour, flow, currency, state, sum(payments) as payments, sum(amount) as amount, sum(fee) as fee
    from payment_volumes where ${isChecked} group by 1, 2, 3, 4, 5) as kept
  full join (
    select merchant_id, hour, flow, currency, state, sum(payments) as payments, sum(amount) as amount, sum(fee) as fee
    from (${hourlyVolumes(part)}) as counted group by 1, 2, 3, 4, 5) as posted
    using (merchant_id, hour, flow, currency, state)
  where (kept.payments, kept.amount, kept.fee) is distinct from (posted.payments, posted.amount, posted.fee)`;

export const HISTORY_INVARIANTS: readonly Invariant[] = [
  {
    name: 'snapshots_are_sums_of_transfers',
    meaning: 'the balances kept for closed hours equal the sums of their transfers',
    sql: SNAPSHOTS(CLOSED, 'true'),
    piecewise: SNAPSHOTS(CLOSED_RECENTLY, `at > ${RECENT}`),
  },
  {
    name: 'volumes_count_closed_postings',
    meaning: 'the volumes kept for closed hours count each posting of a payment once',
    sql: VOLUMES(CLOSED, 'true'),
    piecewise: VOLUMES(CLOSED_RECENTLY, `hour >= ${RECENT}`),
  },
];

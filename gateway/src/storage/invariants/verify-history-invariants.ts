/** The invariants of the ledger's past: its journals still have their payments, and the sums of closed hours follow from it. */
import { hourlyVolumes } from '../ledger/hourly-volumes.ts';
import type { Invariant } from './invariant.ts';

/** Closed postings of the checked merchant. The continuous check reads the last days; only the full check reads all. */
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

/** Journal ids are KIND/KEY/STEP and, for a transfer, transfer/RAIL/KEY/STEP. Keys can contain slashes. */
const keyFrom = (start: string) =>
  `left(substr(l.journal_id, ${start}), -1 - length(split_part(l.journal_id, '/', -1)))`;
const OBJECTS = {
  payout: `payouts as o where o.merchant_id = l.merchant_id and o.payout_id = ${keyFrom('8')}`,
  transfer: `incoming_transfers as o where o.merchant_id = l.merchant_id and o.rail = split_part(l.journal_id, '/', 2)
    and o.transfer_key = ${keyFrom(`11 + length(split_part(l.journal_id, '/', 2))`)}`,
};

const LONE_JOURNALS = (isMissing: (rows: string) => string, isChecked: string) =>
  Object.entries(OBJECTS)
    .map(
      ([kind, rows]) => `
  select l.merchant_id, l.journal_id, l.kind, l.currency, l.amount from ledger_transfers as l
  where l.line = 1 and l.journal_id like '${kind}/%' and ${isChecked} and ${isMissing(rows)}`,
    )
    .join(' union all ');

export const HISTORY_INVARIANTS: readonly Invariant[] = [
  {
    name: 'journals_keep_their_object',
    meaning: 'each journal of a payout or an incoming transfer refers to an existing payout or transfer',
    sql: LONE_JOURNALS((rows) => `not exists (select from ${rows})`, 'true'),
    // By key and with an upper bound: the planner cannot know how few journals are recent, and would read all.
    piecewise: LONE_JOURNALS(
      (rows) => `(select count(*) from ${rows}) = 0`,
      `l.posted_at >= coalesce(${RECENT}, '-infinity') and l.posted_at < 'infinity'`,
    ),
  },
  {
    name: 'snapshots_are_sums_of_transfers',
    meaning: 'the balances stored for closed hours equal the sums of their transfers',
    sql: SNAPSHOTS(CLOSED, 'true'),
    piecewise: SNAPSHOTS(CLOSED_RECENTLY, `at > ${RECENT}`),
  },
  {
    name: 'volumes_count_closed_postings',
    meaning: 'the volumes stored for closed hours count each posting of a payment once',
    sql: VOLUMES(CLOSED, 'true'),
    piecewise: VOLUMES(CLOSED_RECENTLY, `hour >= ${RECENT}`),
  },
];

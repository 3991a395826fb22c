/**
 * Counts the payments of a part of the ledger, per hour. Each journal is one event of one payment. The method and the rail come
 * from the rows in the journal's id; count, amount and fee come only from the ledger.
 */
import { WAIT_BUCKETS_MS } from '../../domain/ledger/volume.ts';

/** Journals of payouts: the last word of their id, the transfer with the amount, and the state that they count under. */
const PAYOUT_STEPS = `(values
  ('reserve', 'reserve', 'accepted'), ('execute', 'payout', 'success'), ('release', 'release', 'blocked'),
  ('reversal', 'reversal', 'reversed'), ('late-execution', 'late_execution', 'executed_late'),
  ('late-execution', 'owed', 'executed_late')) as s(step, kind, state)`;

/** The state of a journal of incoming money. An adjustment has its kind in the middle of its id. */
const DEPOSIT_STATE = `case
  when journal_id like 'adjustment/%' then
    case when split_part(journal_id, '/', 4) like '%_undone' then 'given_again' else 'taken_back' end
  else case substring(journal_id from '[a-z-]+$')
    when 'hold' then 'held' when 'displace' then 'displaced' when 'give-up' then null else 'success' end end`;

const DEPOSIT_KINDS = `('deposit', 'held_credited', 'deposit_fee', 'held', 'displaced', 'fee_returned', 'taken_back', 'given_again', 'owed')`;

/** The rail whose clearing account a journal touches. */
const CLEARED_RAIL = `min(case when credit_account like 'clearing:%' then substr(credit_account, 10)
      when debit_account like 'clearing:%' then substr(debit_account, 10) end)`;

const waits = (wait: string) => {
  const ends = WAIT_BUCKETS_MS.map((ms) => ms / 1_000);
  const buckets = [...ends, null].map((end, index) => {
    const above = index === 0 ? 'true' : `${wait} > ${ends[index - 1]}`;
    return `count(*) filter (where ${above}${end === null ? '' : ` and ${wait} <= ${end}`})`;
  });
  return `array[${buckets.join(', ')}]`;
};

/** `part` is the condition on ledger_transfers. Returns the columns of payment_volumes in their order. */
export const hourlyVolumes = (part: string) => `
with postings as materialized (
  select merchant_id, journal_id, kind, currency, debit_account, credit_account, amount, posted_at from ledger_transfers
  where ${part}),
payout_events as (
  select t.merchant_id, t.currency, date_trunc('hour', t.posted_at) as hour, s.state,
    substring(t.journal_id from '^payout/(.*)/[a-z-]+$') as payout_id, min(t.posted_at) as posted_at, sum(t.amount) as amount,
    ${CLEARED_RAIL} as rail
  from postings as t join ${PAYOUT_STEPS} on s.kind = t.kind and s.step = substring(t.journal_id from '[a-z-]+$')
  where t.journal_id like 'payout/%'
  group by t.merchant_id, t.currency, hour, s.state, t.journal_id),
deposit_events as (
  select merchant_id, currency, date_trunc('hour', posted_at) as hour, journal_id, min(posted_at) as posted_at,
    ${DEPOSIT_STATE} as state, sum(amount) as amount, ${CLEARED_RAIL} as rail,
    coalesce(sum(amount) filter (where kind = 'deposit_fee'), 0) - coalesce(sum(amount) filter (where kind = 'fee_returned'), 0) as fee
  from postings
  where (journal_id like 'transfer/%' or journal_id like 'adjustment/%') and kind in ${DEPOSIT_KINDS}
  group by merchant_id, currency, hour, journal_id)
select e.merchant_id, e.hour, p.purpose as flow, coalesce(p.method::text, '') as method,
  case e.state when 'accepted' then '' else coalesce(e.rail, p.rail) end as rail, e.currency, e.state,
  count(*) as payments, sum(e.amount) as amount,
  sum(case when e.state in ('accepted', 'success') then p.fee else 0 end) as fee,
  case when e.state in ('success', 'blocked') then
    ${waits('extract(epoch from e.posted_at - p.accepted_at)')} else '{}' end as waits
from payout_events as e join payouts as p on p.merchant_id = e.merchant_id and p.payout_id = e.payout_id
group by 1, 2, 3, 4, 5, 6, 7
union all
select e.merchant_id, e.hour, 'deposit', coalesce(d.payment_type, ''), coalesce(t.rail, e.rail, ''), e.currency, e.state,
  count(*), sum(e.amount), sum(e.fee),
  case when e.state = 'success' then ${waits('coalesce(extract(epoch from e.posted_at - d.created_at), 0)')} else '{}' end
from deposit_events as e
left join incoming_transfers as t on t.merchant_id = e.merchant_id
  and t.rail = split_part(e.journal_id, '/', 2)
  and t.transfer_key = substring(e.journal_id from '^transfer/[^/]+/(.*)/[a-z-]+$')
left join deposits as d on d.merchant_id = e.merchant_id
  and d.transaction_id = case when e.journal_id like 'adjustment/%' then split_part(e.journal_id, '/', 2)::bigint else t.transaction_id end
where e.state is not null
group by 1, 2, 3, 4, 5, 6, 7`;

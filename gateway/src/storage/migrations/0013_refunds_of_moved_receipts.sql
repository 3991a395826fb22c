-- A receipt keeps its refunds when the operator moves it to another order of its merchant.

create or replace view receipt_balances as
select t.merchant_id, t.rail, t.transfer_key, t.transaction_id, t.pay_to, t.currency, t.amount, t.state, t.status, t.kept,
  b.taken + e.taken as taken_back, f.refunded, f.refunded_late,
  f.has_failed or (t.return_id is not null and t.status not in ('returning', 'returned')) as has_failed
from transfers_in as t
left join payment_attempts as a
  on a.merchant_id = t.merchant_id and a.transaction_id = t.transaction_id and a.rail = t.rail and a.reference = t.pay_to
    and t.transfer_key = case a.receipts[1] when '' then a.reference else a.reference || '/' || a.receipts[1] end
cross join lateral (
  select coalesce(sum(case when g.kind in ('refund_undone', 'chargeback_undone') then -g.amount else g.amount end), 0)::bigint as taken
  from receipt_takings as g
  where g.merchant_id = t.merchant_id and g.rail = t.rail and g.transfer_key = t.transfer_key) as b
cross join lateral (
  select coalesce(sum(case when j.kind in ('refund_undone', 'chargeback_undone') then j.by_receipt - j.posted else j.posted - j.by_receipt end), 0)::bigint as taken
  from deposit_adjustments as j
  where j.merchant_id = a.merchant_id and j.transaction_id = a.transaction_id and j.attempt = a.attempt) as e
cross join lateral (
  select coalesce(sum(o.amount) filter (where o.is_out), 0)::bigint as refunded,
    coalesce(sum(o.amount) filter (where o.is_out and o.state = 'blocked'), 0)::bigint as refunded_late,
    coalesce(bool_or(not o.is_out), false) as has_failed
  from refund_payouts as o
  where o.merchant_id = t.merchant_id and o.rail = t.rail
    and (o.transfer_key = t.transfer_key or (o.transfer_key is null and o.transaction_id = t.transaction_id and o.attempt = a.attempt))) as f;

-- Money keeps its provenance: every unit is known by the receipt of the provider by which it came, wherever it was moved to.

create table receipt_takings (
  merchant_id text not null,
  transaction_id bigint not null,
  attempt smallint not null,
  kind text not null check (kind in ('refunded', 'refund_undone', 'charged_back', 'chargeback_undone', 'debited')),
  key text not null,
  part text not null check (part in ('first', 'rest')),
  transfer_key text not null,
  rail text not null,
  account text not null check (account in ('available', 'suspense')),
  amount bigint not null check (amount > 0),
  at timestamptz not null,
  primary key (merchant_id, transaction_id, attempt, kind, key, part, transfer_key)
);
create index receipt_takings_of_receipt on receipt_takings (merchant_id, rail, transfer_key);
comment on table receipt_takings is 'Append-only. What each deposit adjustment took from a receipt, or gave back to it, at the merchant who has the receipt by then.';
comment on column receipt_takings.merchant_id is 'The merchant who has the receipt. The payment may be another merchant''s.';
comment on column receipt_takings.transaction_id is 'With attempt, kind and key: the deposit adjustment.';
comment on column receipt_takings.part is 'first: with the report. rest: later, when a refund or return had failed.';
comment on column receipt_takings.transfer_key is 'With rail: the receipt, a row of incoming_transfers.';
comment on column receipt_takings.account is 'suspense: the receipt was held. available: it was credited.';
comment on column receipt_takings.amount is 'Minor units, in the currency of the receipt.';

alter table deposit_adjustments add column by_receipt bigint not null default 0 check (by_receipt >= 0);
comment on column deposit_adjustments.by_receipt is 'The part of posted that stands in receipt_takings. The rest was posted by a version without that table, from what the deposit itself was credited.';

alter table deposit_adjustments add column receipt_key text;
comment on column deposit_adjustments.receipt_key is 'The receipt that the provider names, where a payment may have several. Null: it names none.';

alter table deposit_refunds add column transfer_key text;
comment on column deposit_refunds.transfer_key is 'The receipt that is given back. Null: ordered by a version that knew the attempt alone.';
comment on column deposit_refunds.transaction_id is 'The deposit that the receipt was credited to.';
comment on column deposit_refunds.attempt is 'The payment: an attempt of this deposit, or of the deposit that the receipt came for before it was moved.';

create or replace view transfers_in as
select t.*, case
    when t.state <> 'held' then t.state
    when r.is_out then case when r.is_pending then 'returning' else 'returned' end
    when k.taken >= t.amount then 'taken_back'
    else t.state end as standing,
  t.amount - k.taken as kept
from incoming_transfers as t
left join lateral (
  select p.state = 'pending' as is_pending,
    p.state = 'pending' or ((p.state = 'success' or a.kinds @> '{late_execution}') and not a.kinds @> '{reversed}') as is_out
  from payouts as p
  cross join lateral (
    select coalesce(array_agg(j.kind), '{}') as kinds from payout_adjustments as j
    where j.merchant_id = p.merchant_id and j.payout_id = p.payout_id) as a
  where p.merchant_id = t.merchant_id and p.payout_id = t.return_id) as r on true
cross join lateral (
  select coalesce(sum(case when g.kind in ('refund_undone', 'chargeback_undone') then -g.amount else g.amount end), 0)::bigint as taken
  from receipt_takings as g
  where g.merchant_id = t.merchant_id and g.rail = t.rail and g.transfer_key = t.transfer_key and g.account = 'suspense') as k;
comment on view transfers_in is 'incoming_transfers with their standing (the state, how far a return has come, or that all of it was taken back while it was held), and kept: the amount less what was taken back while it was held.';

create view refund_standings as
select f.merchant_id, f.payout_id, f.transaction_id, f.attempt, f.transfer_key, p.rail, p.currency, p.amount, p.state,
  p.state = 'pending' or ((p.state = 'success' or k.kinds @> '{late_execution}') and not k.kinds @> '{reversed}') as is_out
from deposit_refunds as f
join payouts as p on p.merchant_id = f.merchant_id and p.payout_id = f.payout_id
cross join lateral (
  select coalesce(array_agg(j.kind), '{}') as kinds from payout_adjustments as j
  where j.merchant_id = p.merchant_id and j.payout_id = p.payout_id) as k;
comment on view refund_standings is 'Refunds, and whether each has reached the payer or may.';

create view receipt_standings as
select t.merchant_id, t.rail, t.transfer_key, t.transaction_id, t.pay_to, t.currency, t.amount, t.state, t.standing, t.kept,
  b.taken + e.taken as taken_back, f.refunded, f.refunded_late,
  f.has_failed or (t.return_id is not null and t.standing not in ('returning', 'returned')) as has_failed
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
  from refund_standings as o
  where o.merchant_id = t.merchant_id and o.transaction_id = t.transaction_id and o.rail = t.rail
    and (o.transfer_key = t.transfer_key or (o.transfer_key is null and o.attempt = a.attempt))) as f;
comment on view receipt_standings is 'Each receipt at the merchant who has it: taken_back, by its provider; refunded, by us, and with the payer or perhaps; refunded_late, of those the ones carried out after they had been refused; has_failed: a refund or return of it failed or came back.';

grant select, insert on receipt_takings to gateway_app;
grant update (by_receipt) on deposit_adjustments to gateway_app;
grant select on refund_standings, receipt_standings to gateway_app;

alter table differences add column transaction_id bigint,
  drop constraint differences_kind_check,
  add constraint differences_kind_check check (kind in ('missing_here', 'missing_there', 'amount', 'state', 'duplicate', 'unreadable',
    'excess', 'refund_amount', 'contradiction', 'payout_amount', 'unknown_reference', 'unconfirmed', 'transfer_amount', 'transfer_unreadable'));
comment on table differences is 'Where a provider and the ledger disagree: each is an item that a person resolves, or the gateway once it is gone.';
comment on column differences.day is 'The day that was compared, as the provider counts it; of a single report its day in UTC.';
comment on column differences.transaction_id is 'The deposit that it is about. Null: none.';

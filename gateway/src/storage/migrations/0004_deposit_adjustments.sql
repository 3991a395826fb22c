-- What comes later than the result of a deposit: money that a provider gave back, took back or gave again, and refunds
-- that the operator ordered. The deposit itself stays as it ended.

create table deposit_adjustments (
  merchant_id text not null,
  transaction_id bigint not null,
  attempt smallint not null,
  kind text not null check (kind in ('refunded', 'refund_undone', 'charged_back', 'chargeback_undone', 'debited')),
  key text not null,
  currency text not null,
  amount bigint not null check (amount > 0),
  posted bigint not null check (posted >= 0 and posted <= amount),
  at timestamptz not null,
  detail text not null default '',
  primary key (merchant_id, transaction_id, attempt, kind, key)
);
create index deposit_adjustments_short on deposit_adjustments (merchant_id, transaction_id)
  where posted < amount and kind in ('refunded', 'charged_back', 'debited');
comment on table deposit_adjustments is 'What a provider told of a payment after its result, each thing once. Refunds of ours are payouts, and not here.';
comment on column deposit_adjustments.attempt is 'The payment that it is about.';
comment on column deposit_adjustments.key is 'What the provider tells such things apart by. An undoing has the key of what it undoes.';
comment on column deposit_adjustments.amount is 'As the provider says, in minor units of the currency; all that was left of the payment where it names none.';
comment on column deposit_adjustments.posted is 'What of it has moved money. A taking-back never moves more than is left of what was received: the rest is the operator''s to look at.';

create table deposit_refunds (
  merchant_id text not null,
  payout_id text not null,
  transaction_id bigint not null,
  attempt smallint not null,
  reason text not null,
  primary key (merchant_id, payout_id)
);
create index deposit_refunds_of_deposit on deposit_refunds (merchant_id, transaction_id);
comment on table deposit_refunds is 'Which payment each refund gives back, all of it or a part. The refund itself is a payout of the gateway''s own.';

-- What was received by each attempt for the merchant, and what of it is with the payer again, or on its way there.
create view payment_standings as
select a.merchant_id, a.transaction_id, a.attempt,
  (select coalesce(sum(t.amount), 0)::bigint from incoming_transfers as t
    where t.merchant_id = a.merchant_id and t.transaction_id = a.transaction_id and t.rail = a.rail
      and t.pay_to = a.reference and t.state = 'credited') as credited,
  (select coalesce(sum(case when j.kind in ('refund_undone', 'chargeback_undone') then -j.posted else j.posted end), 0)::bigint
    from deposit_adjustments as j
    where j.merchant_id = a.merchant_id and j.transaction_id = a.transaction_id and j.attempt = a.attempt) as taken_back,
  r.refunded, r.refunded_late
from payment_attempts as a
cross join lateral (
  select coalesce(sum(p.amount) filter (where o.is_out), 0)::bigint as refunded,
    coalesce(sum(p.amount) filter (where o.is_out and p.state = 'blocked'), 0)::bigint as refunded_late
  from deposit_refunds as f
  join payouts as p using (merchant_id, payout_id)
  cross join lateral (
    select coalesce(array_agg(j.kind), '{}') as kinds from payout_adjustments as j
    where j.merchant_id = p.merchant_id and j.payout_id = p.payout_id) as k
  cross join lateral (
    select p.state = 'pending'
      or ((p.state = 'success' or k.kinds @> '{late_execution}') and not k.kinds @> '{reversed}') as is_out) as o
  where f.merchant_id = a.merchant_id and f.transaction_id = a.transaction_id and f.attempt = a.attempt) as r;
comment on view payment_standings is 'Per attempt: what was credited, what was taken back, and refunds that have reached the payer or may; of those, in refunded_late, the ones carried out after they had been refused.';

grant select, insert on deposit_adjustments, deposit_refunds to gateway_app;
grant update (posted) on deposit_adjustments to gateway_app;
grant select on payment_standings to gateway_app;

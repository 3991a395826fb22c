-- Deposits: what a payer was asked to pay, what came, and where money waits that fits nothing. Led by the merchant like
-- everything else; the directory of CLABEs is the stated exception, since a bank names nothing but the CLABE.

alter table callbacks rename column payout_id to subject_id;
alter table callbacks drop constraint callbacks_subject_check;
alter table callbacks add constraint callbacks_subject_check check (subject in ('payout', 'deposit', 'event'));
comment on column callbacks.subject_id is 'The payout_id or the order of what it tells of.';

insert into merchants (merchant_id, name, state, created_at) values ('operator', 'The operator', 'suspended', now());
comment on table merchants is 'Who sends payments. merchant_id is the public identifier. Of "operator" is what fits no merchant.';

create table deposits (
  merchant_id text not null,
  transaction_id bigint not null,
  uuid uuid not null,
  order_id text not null,
  payment_type text not null,
  currency text not null,
  amount bigint not null check (amount > 0),
  amount_text text not null,
  payer jsonb not null,
  rail text not null,
  pay_to text not null,
  beneficiary text not null,
  state text not null check (state in ('created', 'pending', 'success', 'fail')),
  fail_reason text check (fail_reason in ('declined', 'cancelled', 'expired')),
  received bigint not null default 0 check (received >= 0),
  fee bigint not null default 0 check (fee >= 0),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  closes_at timestamptz not null,
  finished_at timestamptz,
  primary key (merchant_id, transaction_id),
  constraint final_has_an_end check ((state in ('created', 'pending')) = (finished_at is null)),
  constraint fail_has_a_reason check ((state = 'fail') = (fail_reason is not null)),
  constraint grace_follows_expiry check (closes_at >= expires_at)
) with (fillfactor = 85);
create index deposits_open on deposits (closes_at) where finished_at is null;
create index deposits_by_age on deposits (merchant_id, currency, transaction_id);
comment on table deposits is 'One row per deposit, kept for ever.';
comment on column deposits.amount is 'What was asked for, in minor units.';
comment on column deposits.pay_to is 'What the payer pays to: the CLABE.';
comment on column deposits.received is 'What was credited for it, before the fee; zero until it succeeds.';
comment on column deposits.expires_at is 'What the payer is told. Money that comes by closes_at still counts.';

create table deposit_orders (
  merchant_id text not null,
  order_id text not null,
  transaction_id bigint not null,
  primary key (merchant_id, order_id)
);
comment on table deposit_orders is 'Makes an order happen once: one namespace per merchant, for ever.';

create table deposit_history (
  merchant_id text not null,
  transaction_id bigint not null,
  entry integer not null,
  at timestamptz not null,
  event text not null,
  from_state text,
  to_state text not null,
  actor text not null,
  detail text not null default '',
  primary key (merchant_id, transaction_id, entry)
);
comment on table deposit_history is 'Append-only. Every change of state, every transfer and every act of an operator.';

create sequence clabe_numbers minvalue 0 start with 0 increment by 64;
comment on sequence clabe_numbers is 'Each process takes a block of 64 numbers at a time; a CLABE is made of one.';

create table clabes (
  clabe text primary key check (clabe ~ '^\d{18}$'),
  merchant_id text not null,
  transaction_id bigint not null,
  assigned_at timestamptz not null,
  reusable_at timestamptz not null
);
create index clabes_reusable on clabes (merchant_id, reusable_at);
comment on table clabes is 'Directory: whose deposit a CLABE stands for. Never another merchant''s, and no other deposit''s before reusable_at.';

create table incoming_transfers (
  merchant_id text not null,
  rail text not null,
  transfer_key text not null,
  transaction_id bigint,
  pay_to text not null,
  currency text not null,
  amount bigint not null check (amount > 0),
  originator jsonb not null,
  mismatch text check (mismatch in ('short', 'over', 'late', 'twice', 'unmatched')),
  state text not null check (state in ('credited', 'held', 'given_up', 'sent_back')),
  return_id text,
  found_by text not null check (found_by in ('notification', 'reconciliation')),
  booked_at timestamptz not null,
  recorded_at timestamptz not null,
  resolved_at timestamptz,
  resolution text not null default '',
  primary key (merchant_id, rail, transfer_key)
);
create index incoming_transfers_held on incoming_transfers (merchant_id, recorded_at) where state = 'held';
create index incoming_transfers_of_deposit on incoming_transfers (merchant_id, transaction_id);
comment on table incoming_transfers is 'Every transfer that came in, once. Its key is what the rail tells transfers apart by.';
comment on column incoming_transfers.mismatch is 'Why it is not simply the deposit''s money; null when it fits.';
comment on column incoming_transfers.state is 'held: in suspense, for the operator. given_up: it is another merchant''s. sent_back: the bank was told to return it; it was never ours.';
comment on column incoming_transfers.return_id is 'The payout, of the same merchant, that takes it back to its originator: the latest one.';
comment on column incoming_transfers.resolution is 'What the operator decided, and why.';

-- A return that failed leaves the money held, and one that came back holds it again: where it lies follows from its payout.
create view transfers_in as
select t.*, case
  when t.state <> 'held' or t.return_id is null or not r.is_out then t.state
  when r.is_pending then 'returning'
  else 'returned' end as standing
from incoming_transfers as t
left join lateral (
  select p.state = 'pending' as is_pending,
    p.state = 'pending' or ((p.state = 'success' or a.kinds @> '{late_execution}') and not a.kinds @> '{reversed}') as is_out
  from payouts as p
  cross join lateral (
    select coalesce(array_agg(j.kind), '{}') as kinds from payout_adjustments as j
    where j.merchant_id = p.merchant_id and j.payout_id = p.payout_id) as a
  where p.merchant_id = t.merchant_id and p.payout_id = t.return_id) as r on true;
comment on view transfers_in is 'incoming_transfers with their standing: the state, or how far a return has come.';

create table incoming_transfer_keys (
  rail text not null,
  transfer_key text not null,
  merchant_id text not null,
  primary key (rail, transfer_key)
);
comment on table incoming_transfer_keys is 'Directory: a transfer counts once, whoever its address stood for when it was told.';

grant select, insert, update on incoming_transfer_keys to gateway_app;
grant select on transfers_in to gateway_app;
grant select, insert, update on deposits, deposit_orders, deposit_history, clabes, incoming_transfers to gateway_app;
grant usage, select on sequence clabe_numbers to gateway_app;
revoke update on deposit_orders, deposit_history from gateway_app;

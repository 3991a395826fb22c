-- Deposits: what a payer was asked to pay, which transfers came in, and which of them are held.

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
  fail_reason text check (fail_reason in ('declined', 'cancelled', 'expired', 'displaced')),
  received bigint not null default 0 check (received >= 0),
  fee bigint not null default 0 check (fee >= 0),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  closes_at timestamptz not null,
  finished_at timestamptz,
  displaced_by bigint,
  primary key (merchant_id, transaction_id),
  constraint final_has_an_end check ((state in ('created', 'pending')) = (finished_at is null)),
  constraint fail_has_a_reason check ((state = 'fail') = (fail_reason is not null)),
  constraint grace_follows_expiry check (closes_at >= expires_at)
) with (fillfactor = 85);
create index deposits_open on deposits (closes_at) where finished_at is null;
create index deposits_in_time on deposits (merchant_id, currency, created_at);
create index deposits_of_order on deposits (merchant_id, order_id);
-- For operators, as with payouts: the list of all merchants, and searches by block ranges.
create index deposits_newest on deposits (created_at, transaction_id, amount);
create index deposits_by_number on deposits
  using brin (transaction_id int8_minmax_multi_ops) with (pages_per_range = 64, autosummarize = on);
create index deposits_by_order on deposits
  using brin (order_id text_bloom_ops (n_distinct_per_range = 2000, false_positive_rate = 0.001))
  with (pages_per_range = 128, autosummarize = on);
create index deposits_by_uuid on deposits
  using brin (uuid uuid_bloom_ops (n_distinct_per_range = 2000, false_positive_rate = 0.001))
  with (pages_per_range = 128, autosummarize = on);
create index deposits_by_address on deposits
  using brin (pay_to text_bloom_ops (n_distinct_per_range = 2000, false_positive_rate = 0.001))
  with (pages_per_range = 128, autosummarize = on);
comment on table deposits is 'One row per deposit, kept indefinitely.';
comment on column deposits.transaction_id is 'The gateway''s id.';
comment on column deposits.uuid is 'The id that the merchant sees.';
comment on column deposits.order_id is 'The merchant''s id. Several deposits may have had it; deposit_orders has the current one.';
comment on column deposits.amount is 'The amount asked for, in minor units.';
comment on column deposits.amount_text is 'The amount as the merchant wrote it.';
comment on column deposits.payer is 'The payer''s data, as the merchant sent it.';
comment on column deposits.pay_to is 'The address that the payer pays to: a CLABE.';
comment on column deposits.beneficiary is 'The name that the payer sees.';
comment on column deposits.received is 'The amount credited for it, before the fee. Zero until it succeeds.';
comment on column deposits.fee is 'Minor units.';
comment on column deposits.expires_at is 'The end of the payer''s time.';
comment on column deposits.closes_at is 'The end of the grace period. Money that comes by then still counts.';
comment on column deposits.displaced_by is 'The transaction that now has the order. Null: not displaced.';
grant select, insert, update on deposits to gateway_app;

create table deposit_orders (
  merchant_id text not null,
  order_id text not null,
  transaction_id bigint not null,
  is_signed boolean not null default true,
  visitor_hash bytea,
  primary key (merchant_id, order_id)
);
comment on table deposit_orders is 'Prevents a second deposit for an order. One namespace per merchant, kept indefinitely.';
comment on column deposit_orders.transaction_id is 'The current deposit of the order.';
comment on column deposit_orders.is_signed is 'False: the request had no signature, so a signed request for the order takes precedence.';
comment on column deposit_orders.visitor_hash is 'Hash of the payer''s browser, which may return to its own payment.';
grant select, insert, update, delete on deposit_orders to gateway_app;

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
  written_by xid8 not null default pg_current_xact_id(),
  primary key (merchant_id, transaction_id, entry)
) with (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05);
create index deposit_history_in_commit_order on deposit_history (written_by);
comment on table deposit_history is 'Append-only. Every transition, every transfer, and every action of an operator.';
comment on column deposit_history.written_by is 'The database transaction that wrote the row. Events follow this order, because rows do not become visible in the order of their times.';
comment on column deposit_history.actor is 'The rail, process or user that caused the entry.';
grant select, insert on deposit_history to gateway_app;

create sequence clabe_numbers minvalue 0 start with 0 increment by 64;
comment on sequence clabe_numbers is 'Each process takes a block of 64 numbers at a time. A CLABE is made from one number.';
grant usage, select on sequence clabe_numbers to gateway_app;

create table clabes (
  clabe text primary key check (clabe ~ '^\d{18}$'),
  merchant_id text not null,
  transaction_id bigint not null,
  assigned_at timestamptz not null,
  reusable_at timestamptz not null
);
create index clabes_reusable on clabes (merchant_id, reusable_at);
comment on table clabes is 'Directory: finds the deposit of a CLABE. A CLABE never changes its merchant.';
comment on column clabes.transaction_id is 'The current deposit of the CLABE.';
comment on column clabes.reusable_at is 'From then on, the CLABE may go to another deposit of the merchant.';
grant select, insert, update on clabes to gateway_app;

create table incoming_transfers (
  merchant_id text not null,
  rail text not null,
  transfer_key text not null,
  transaction_id bigint,
  pay_to text not null,
  currency text not null,
  amount bigint not null check (amount > 0),
  originator jsonb not null,
  mismatch text check (mismatch in ('other_currency', 'short', 'over', 'late', 'twice', 'other_payer', 'unmatched', 'displaced')),
  state text not null check (state in ('credited', 'held', 'given_up', 'sent_back')),
  return_id text,
  is_return_overtaken boolean not null default false,
  found_by text not null check (found_by in ('notification', 'reconciliation')),
  booked_at timestamptz not null,
  recorded_at timestamptz not null,
  resolved_at timestamptz,
  resolution text not null default '',
  former_merchants text[] not null default '{}',
  primary key (merchant_id, rail, transfer_key)
);
create index incoming_transfers_held on incoming_transfers (merchant_id, recorded_at) where state = 'held';
create index incoming_transfers_of_deposit on incoming_transfers (merchant_id, transaction_id);
create index incoming_transfers_in_time on incoming_transfers (merchant_id, recorded_at, rail, transfer_key);
create index incoming_transfers_newest on incoming_transfers (recorded_at, rail, transfer_key);
comment on table incoming_transfers is 'Every incoming transfer, once. A receipt of a form payment is an incoming transfer too.';
comment on column incoming_transfers.transfer_key is 'The rail''s identity of the transfer.';
comment on column incoming_transfers.transaction_id is 'The deposit that it pays. Null: unmatched.';
comment on column incoming_transfers.pay_to is 'The URL to which it was sent, or the reference of the payment attempt.';
comment on column incoming_transfers.amount is 'Minor units.';
comment on column incoming_transfers.originator is 'The sender, as stated by the sender''s bank.';
comment on column incoming_transfers.mismatch is 'Why it is not the exact payment of its deposit. Null: it is.';
comment on column incoming_transfers.state is 'held: in suspense until the operator decides. given_up: moved to another merchant. sent_back: rejected in the response to the bank, so it was never ours.';
comment on column incoming_transfers.return_id is 'The latest payout, of the same merchant, that returns it to its originator.';
comment on column incoming_transfers.is_return_overtaken is 'The latest return failed, and the provider then took part of the money, or restored it. If the bank executes that return late, the merchant pays for it.';
comment on column incoming_transfers.booked_at is 'When the bank booked it.';
comment on column incoming_transfers.resolution is 'The operator''s decision and its reason.';
comment on column incoming_transfers.former_merchants is 'The merchants that had it before, oldest first. A late refund by one of them counts against it.';
grant select, insert, update on incoming_transfers to gateway_app;

create table incoming_transfer_keys (
  rail text not null,
  transfer_key text not null,
  merchant_id text not null,
  primary key (rail, transfer_key)
) with (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05);
comment on table incoming_transfer_keys is 'Directory: prevents a second record of a transfer, even after its address passed to another deposit.';
grant select, insert, update on incoming_transfer_keys to gateway_app;

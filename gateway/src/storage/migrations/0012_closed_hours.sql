-- Closed hours of the ledger: no posting enters them any more, so their balances and volumes are kept.

create table ledger_closings (
  merchant_id text primary key,
  closing_until timestamptz not null,
  closed_until timestamptz not null,
  constraint closed_as_announced check (closed_until <= closing_until)
) with (fillfactor = 50);
comment on table ledger_closings is 'How far each merchant''s ledger is closed. A merchant without a row has no closed hour.';
comment on column ledger_closings.closing_until is 'Announced before the hours close. Every later posting gets at least this time.';
comment on column ledger_closings.closed_until is 'Snapshots and volumes cover all postings before it. -infinity: none yet.';
grant select, insert, update on ledger_closings to gateway_app;

create table ledger_snapshots (
  merchant_id text not null,
  currency text not null,
  account text not null,
  at timestamptz not null,
  balance bigint not null,
  primary key (merchant_id, currency, account, at)
);
comment on table ledger_snapshots is 'Append-only. The balance of an account at the end of each closed hour in which it changed.';
comment on column ledger_snapshots.at is 'The end of the hour. The balance contains all postings before it.';
comment on column ledger_snapshots.balance is 'Minor units.';
grant select, insert on ledger_snapshots to gateway_app;

create table payment_volumes (
  merchant_id text not null,
  hour timestamptz not null,
  flow text not null check (flow in ('payout', 'return', 'refund', 'deposit')),
  method text not null,
  rail text not null,
  currency text not null,
  state text not null,
  payments bigint not null check (payments > 0),
  amount numeric not null,
  fee numeric not null,
  waits bigint[] not null,
  primary key (merchant_id, hour, flow, method, rail, currency, state)
);
create index payment_volumes_in_time on payment_volumes (hour);
comment on table payment_volumes is 'Append-only. The payments of each closed hour, counted by what the ledger posted.';
comment on column payment_volumes.hour is 'The beginning of the hour.';
comment on column payment_volumes.method is 'The number of the payout method, or the payment type of a deposit. Empty: none.';
comment on column payment_volumes.rail is 'The rail that ended the payment. Empty: the payout was only accepted.';
comment on column payment_volumes.state is 'For payouts accepted, success, blocked, reversed, executed_late; for deposits success, held, displaced, taken_back, given_again.';
comment on column payment_volumes.amount is 'Minor units, without fees of payouts and before fees of deposits.';
comment on column payment_volumes.fee is 'Minor units that the gateway earned, or reserved for accepted payouts.';
comment on column payment_volumes.waits is 'Counts of payments by the time from acceptance to result: at most 1 s, 5 s, 15 s, 1 min, 5 min, 15 min, 1 h, 4 h, 1 d, and longer. Empty: no result.';
grant select, insert on payment_volumes to gateway_app;

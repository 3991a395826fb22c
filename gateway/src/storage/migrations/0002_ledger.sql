-- The ledger: double entry, per merchant and currency, in minor units.

create table ledger_accounts (
  merchant_id text not null,
  currency text not null,
  account text not null,
  balance bigint not null,
  primary key (merchant_id, currency, account),
  constraint available_not_below_zero check (account <> 'available' or balance >= 0),
  constraint reserved_not_below_zero check (account <> 'reserved' or balance >= 0),
  constraint owed_not_above_zero check (account <> 'owed' or balance <= 0)
) with (
  -- Few rows, and every batch changes them. Early vacuums keep them on few pages.
  fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0
);
comment on table ledger_accounts is 'The balance of each account: credits less debits of ledger_transfers.';
comment on column ledger_accounts.account is 'available, reserved, owed, fees, operator_funding, suspense, or clearing:RAIL.';
comment on column ledger_accounts.balance is 'Minor units.';
grant select, insert, update on ledger_accounts to gateway_app;

create table ledger_transfers (
  merchant_id text not null,
  journal_id text not null,
  line smallint not null,
  kind text not null,
  currency text not null,
  debit_account text not null,
  credit_account text not null,
  amount bigint not null check (amount > 0),
  note text,
  posted_at timestamptz not null,
  primary key (merchant_id, journal_id, line),
  constraint two_accounts check (debit_account <> credit_account)
) with (
  autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 200000,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 200000
);
-- The ledger grows in the order of time, so an insert only appends to the last page of this index.
create index ledger_transfers_in_time on ledger_transfers (posted_at);
comment on table ledger_transfers is 'Append-only. Each row debits one account and credits another with one amount.';
comment on column ledger_transfers.journal_id is 'The posting, such as payout/A17/reserve. It is unique, so the gateway posts nothing twice.';
comment on column ledger_transfers.line is 'The number of the transfer within its journal.';
comment on column ledger_transfers.kind is 'The kind of journal, such as payout, release or funding.';
comment on column ledger_transfers.amount is 'Minor units.';
comment on column ledger_transfers.note is 'The operator''s reason, if an operator posted it by hand.';
grant select, insert on ledger_transfers to gateway_app;

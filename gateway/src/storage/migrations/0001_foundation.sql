-- The gateway's first schema. Every merchant-owned table leads with merchant_id, in its primary key and in every
-- unique constraint, so that the tables can be distributed by merchant without a redesign. No triggers: integrity is by
-- construction (one writer per kind of row) and by constraints. The hot tables carry no foreign keys, since each would
-- cost a look-up and a lock per row on the accepting path; `gateway verify` checks what they would have said.
-- Due times are written by the gateway's clock, never by now().

create table merchants (
  merchant_id text primary key check (merchant_id ~ '^[A-Za-z0-9._-]{1,64}$'),
  name text not null,
  site_url text,
  process_url text,
  success_url text,
  fail_url text,
  payout_callback_url text,
  event_url text,
  state text not null check (state in ('test', 'active', 'suspended')),
  settings jsonb not null default '{}',
  created_at timestamptz not null
);
comment on table merchants is 'Who sends payments. merchant_id is the public identifier.';
comment on column merchants.settings is 'Setting name to text; the table of settings is merchant-settings.ts.';

create table merchant_keys (
  merchant_id text not null references merchants,
  key_id text not null,
  master_key_id text not null,
  wrapped_key bytea not null,
  ciphertext bytea not null,
  created_at timestamptz not null,
  retires_at timestamptz,
  first_used_at timestamptz,
  primary key (merchant_id, key_id)
);
comment on table merchant_keys is 'Signing keys, sealed by the vault. Null retires_at: the current key.';

create table vault_keys (
  name text primary key check (name = 'fingerprint'),
  master_key_id text not null,
  wrapped_key bytea not null,
  ciphertext bytea not null
);
comment on table vault_keys is 'The key of the keyed hash, sealed under the master key; it outlives every master key.';

create table vault_records (
  merchant_id text not null,
  token text not null,
  master_key_id text not null,
  wrapped_key bytea not null,
  ciphertext bytea not null,
  created_at timestamptz not null,
  destroy_at timestamptz,
  primary key (merchant_id, token)
);
create index vault_records_to_destroy on vault_records (destroy_at) where destroy_at is not null;
create index vault_records_by_master_key on vault_records (master_key_id);
comment on table vault_records is 'Card numbers and their like, one row per payout, AES-256-GCM under a data key of its own.';
comment on column vault_records.destroy_at is 'Set when the payout becomes final; past it the row is deleted.';

create table ledger_accounts (
  merchant_id text not null,
  currency text not null,
  account text not null,
  balance bigint not null,
  primary key (merchant_id, currency, account),
  constraint available_not_below_zero check (account <> 'available' or balance >= 0),
  constraint reserved_not_below_zero check (account <> 'reserved' or balance >= 0),
  constraint owed_not_above_zero check (account <> 'owed' or balance <= 0)
) with (fillfactor = 50);
comment on table ledger_accounts is 'What each account holds: credits less debits of ledger_transfers, in minor units.';

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
);
comment on table ledger_transfers is 'Append-only. One row debits one account and credits another by one amount.';
comment on column ledger_transfers.journal_id is 'What was posted (payout/A17/reserve); unique, so nothing is posted twice.';
comment on column ledger_transfers.note is 'The operator''s reason, where a person posted it.';

create sequence transaction_ids increment by 1024 minvalue 1024 start with 1024 maxvalue 9007199254740991;
comment on sequence transaction_ids is 'Each process takes a block of 1024 transaction ids at a time.';

create table payouts (
  merchant_id text not null,
  payout_id text not null,
  transaction_id bigint not null,
  method smallint not null,
  currency text not null,
  amount bigint not null check (amount > 0),
  amount_text text not null,
  fee bigint not null check (fee >= 0),
  rail text not null,
  account_shown text not null,
  fields jsonb not null,
  vault_token text,
  content_hash bytea not null,
  state text not null check (state in ('pending', 'success', 'blocked')),
  code text not null,
  accepted_at timestamptz not null,
  finished_at timestamptz,
  primary key (merchant_id, payout_id),
  constraint final_has_an_end check ((state = 'pending') = (finished_at is null)),
  constraint code_fits_state check ((state = 'pending') = (code = '40') and (state = 'success') = (code = '0'))
) with (fillfactor = 85);
create index payouts_by_age on payouts (merchant_id, currency, transaction_id);
comment on table payouts is 'One row per accepted payout, kept for ever. (merchant_id, payout_id) is what makes a payout happen once.';
comment on column payouts.amount is 'Minor units.';
comment on column payouts.amount_text is 'As the merchant wrote it.';
comment on column payouts.account_shown is 'Masked for cards.';
comment on column payouts.content_hash is 'Keyed hash of the request''s content.';

create table payout_jobs (
  merchant_id text not null,
  payout_id text not null,
  rail text not null,
  method smallint not null,
  stage text not null check (stage in ('queued', 'sending', 'at_bank', 'unknown')),
  stage_since timestamptz not null,
  due_at timestamptz not null,
  fence integer not null default 0,
  attempts integer not null default 0,
  asks integer not null default 0,
  note text not null default '',
  primary key (merchant_id, payout_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index payout_jobs_due on payout_jobs (rail, due_at);
comment on table payout_jobs is 'The payouts under way: one row per pending payout, deleted with its final state.';
comment on column payout_jobs.due_at is 'When a worker takes it next. Claiming moves it to the end of the lease.';
comment on column payout_jobs.fence is 'Counts claims; who records an outcome must hold the latest.';
comment on column payout_jobs.note is 'What the last step met (a paused rail, a time-out), for whoever asks why it is pending.';

create table payout_attempts (
  merchant_id text not null,
  payout_id text not null,
  attempt integer not null,
  rail text not null,
  reference text not null,
  started_at timestamptz not null,
  send_until timestamptz not null,
  finished_at timestamptz,
  outcome text,
  detail text not null default '',
  primary key (merchant_id, payout_id, attempt)
) with (fillfactor = 85);
comment on table payout_attempts is 'Each time a bank was, or may have been, told. Committed before the bank is called.';
comment on column payout_attempts.send_until is 'The sender''s deadline: past this it writes nothing to the bank any more.';

create table rail_references (
  rail text not null,
  reference text not null,
  merchant_id text not null,
  payout_id text not null,
  primary key (rail, reference)
);
comment on table rail_references is 'Directory: whose payout a bank''s notification speaks of.';

create table payout_history (
  merchant_id text not null,
  payout_id text not null,
  entry smallint not null,
  at timestamptz not null,
  event text not null,
  from_state text,
  to_state text not null,
  actor text not null,
  detail text not null default '',
  primary key (merchant_id, payout_id, entry)
);
comment on table payout_history is 'Append-only. Every change of state and every act of an operator.';

create table payout_adjustments (
  merchant_id text not null,
  payout_id text not null,
  kind text not null check (kind in ('reversed', 'late_execution', 'contradicted')),
  at timestamptz not null,
  detail text not null default '',
  primary key (merchant_id, payout_id, kind)
);
comment on table payout_adjustments is 'What a bank changed after the final state.';

create table callbacks (
  merchant_id text not null,
  callback_id text not null,
  subject text not null check (subject in ('payout', 'event')),
  payout_id text not null,
  payload jsonb not null,
  state text not null check (state in ('due', 'delivered', 'undelivered', 'not_wanted')),
  created_at timestamptz not null,
  attempts smallint not null default 0,
  schedule_start smallint not null default 0,
  first_attempt_at timestamptz,
  due_at timestamptz,
  finished_at timestamptz,
  primary key (merchant_id, callback_id),
  constraint due_has_a_time check ((state = 'due') = (due_at is not null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index callbacks_due on callbacks (merchant_id, due_at) where state = 'due';
create index callbacks_undelivered on callbacks (merchant_id, created_at) where state = 'undelivered';
comment on table callbacks is 'One row per thing to tell a merchant, written in the commit that made it true.';
comment on column callbacks.callback_id is 'The webhook-id of every attempt.';
comment on column callbacks.payload is 'An array of [name, value] in sending order, without signature.';
comment on column callbacks.schedule_start is 'How many attempts were behind when the schedule began (anew, after a resend).';

create table callback_lanes (
  merchant_id text primary key,
  due_at timestamptz not null,
  lease_until timestamptz,
  paused_until timestamptz,
  fence integer not null default 0,
  failures integer not null default 0
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index callback_lanes_ready on callback_lanes (coalesce(lease_until, greatest(due_at, paused_until)));
comment on table callback_lanes is 'One row per merchant with callbacks: who holds it delivers alone, so that no merchant delays another.';
comment on column callback_lanes.due_at is 'When there is something to do: lowered by whoever adds a callback, set anew by the holder that lets go.';
comment on column callback_lanes.lease_until is 'Held until then; past it the holder is taken for dead. Null: nobody holds it.';
comment on column callback_lanes.paused_until is 'The breaker is open: no attempt before then. Null: no pause.';
comment on column callback_lanes.fence is 'Counts claims; who records an outcome must hold the latest.';
comment on column callback_lanes.failures is 'Failed attempts in a row, as of the last holder that let go; the breaker opens on it.';

create table callback_attempts (
  merchant_id text not null,
  callback_id text not null,
  attempt smallint not null,
  started_at timestamptz not null,
  latency_ms integer not null,
  http_status smallint,
  outcome text not null,
  reply text not null,
  primary key (merchant_id, callback_id, attempt)
);
comment on table callback_attempts is 'Every delivery attempt with what came back (its first KiB).';

create table pauses (
  scope text not null check (scope in ('merchant', 'method', 'rail')),
  target text not null,
  since timestamptz not null,
  reason text not null,
  primary key (scope, target)
);
comment on table pauses is 'What an operator has paused: accepted payouts wait.';

-- The running gateway is this role and no more: the ledger and the histories can be added to, never changed.
-- Who administers the server may have made the role already, so that the owner of the tables need not be able to make roles.
do $$ begin
  if not exists (select from pg_roles where rolname = 'gateway_app') then create role gateway_app nologin; end if;
exception when duplicate_object then null; when unique_violation then null; end $$;
grant usage on schema public to gateway_app;
grant select, insert, update on all tables in schema public to gateway_app;
grant usage on all sequences in schema public to gateway_app;
revoke update on ledger_transfers, payout_history, payout_adjustments, callback_attempts, rail_references from gateway_app;
revoke insert, update on schema_migrations from gateway_app;
grant delete on vault_records, payout_jobs, pauses, merchant_keys to gateway_app;
do $$ begin
  if not pg_has_role(current_user, 'gateway_app', 'member') then execute format('grant gateway_app to %I', current_user); end if;
end $$;

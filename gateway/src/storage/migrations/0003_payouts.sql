-- Payouts: what merchants ordered, the jobs of the worker, and the attempts at banks.

create sequence transaction_ids increment by 1024 minvalue 1024 start with 1024 maxvalue 9007199254740991;
comment on sequence transaction_ids is 'Each process takes a block of 1024 transaction ids at a time, for payouts and deposits.';
grant usage on sequence transaction_ids to gateway_app;

create table payouts (
  merchant_id text not null,
  payout_id text not null,
  transaction_id bigint not null,
  purpose text not null check (purpose in ('payout', 'return', 'refund')),
  method smallint,
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
  blocked_reason text,
  accepted_at timestamptz not null,
  finished_at timestamptz,
  primary key (merchant_id, payout_id),
  constraint method_fits_purpose check ((purpose = 'payout') = (method is not null)),
  constraint final_has_an_end check ((state = 'pending') = (finished_at is null)),
  constraint blocked_has_a_reason check ((state = 'blocked') = (blocked_reason is not null))
) with (
  -- A payout changes once, when it becomes final. Half of each page stays free for the new version, so indexes do not change.
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 100000, autovacuum_vacuum_insert_threshold = 200000,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 200000
);
create index payouts_in_time on payouts (merchant_id, currency, accepted_at);
create index payouts_by_transaction on payouts (merchant_id, transaction_id);
-- The operator's list of all merchants. Its entries arrive in order, so an insert only appends to its last page.
create index payouts_newest on payouts (accepted_at, transaction_id, amount);
-- Returns and refunds are few, so their index costs a merchant's payout nothing.
create index payouts_of_gateway on payouts (merchant_id, accepted_at, transaction_id) where purpose <> 'payout';
create index payouts_of_gateway_newest on payouts (accepted_at, transaction_id) where purpose <> 'payout';
-- A search across merchants reads the block ranges that may have the value. An insert writes nothing to these indexes.
create index payouts_by_number on payouts
  using brin (transaction_id int8_minmax_multi_ops) with (pages_per_range = 64, autosummarize = on);
create index payouts_by_id on payouts
  using brin (payout_id text_bloom_ops (n_distinct_per_range = 1000, false_positive_rate = 0.001))
  with (pages_per_range = 128, autosummarize = on);
create index payouts_by_account on payouts
  using brin (account_shown text_bloom_ops (n_distinct_per_range = 1000, false_positive_rate = 0.001))
  with (pages_per_range = 128, autosummarize = on);
comment on table payouts is 'One row per accepted payout, kept indefinitely. The primary key prevents a second payout with the same id.';
comment on column payouts.payout_id is 'The merchant''s id. Ids of returns and refunds begin with return: or refund:.';
comment on column payouts.transaction_id is 'The gateway''s id.';
comment on column payouts.purpose is 'payout: a merchant ordered it. return: held money goes back to its originator. refund: a form payment goes back to its payer.';
comment on column payouts.method is 'The number of the payout method. Null: a return or a refund.';
comment on column payouts.amount is 'Minor units.';
comment on column payouts.amount_text is 'The amount as the merchant wrote it.';
comment on column payouts.fee is 'Minor units.';
comment on column payouts.rail is 'The rail that sends the payout or sent it.';
comment on column payouts.account_shown is 'The beneficiary''s account, masked if it is a card.';
comment on column payouts.fields is 'The fields of the request that are not secret.';
comment on column payouts.vault_token is 'The sealed secret fields, in vault_records. Null: the payout has none.';
comment on column payouts.content_hash is 'Keyed hash of the request''s content.';
comment on column payouts.blocked_reason is 'Why the payout is blocked. The merchant sees a code for it. Null: it is not blocked.';
grant select, insert, update on payouts to gateway_app;

create table payout_makers (
  merchant_id text not null,
  payout_id text not null,
  kind text not null check (kind in ('person', 'token', 'emergency', 'merchant')),
  id text not null,
  name text not null,
  people text[] not null,
  mailbox text not null,
  primary key (merchant_id, payout_id)
);
comment on table payout_makers is 'Append-only. The creator of each payout of the management API or the command line, who must not approve it. A signed payout that waits for approval has a row for its merchant''s server.';
comment on column payout_makers.people is 'The user, or the users who created the token or saw its secret. Empty: unknown.';
comment on column payout_makers.mailbox is 'The email address of that user, without the parts that mail servers ignore. Empty: unknown.';
grant select, insert on payout_makers to gateway_app;

create table payout_jobs (
  merchant_id text not null,
  payout_id text not null,
  rail text not null,
  purpose text not null,
  method smallint,
  stage text not null check (stage in ('awaiting_approval', 'queued', 'sending', 'at_bank', 'unknown')),
  stage_since timestamptz not null,
  due_at timestamptz not null,
  fence integer not null default 0,
  attempts integer not null default 0,
  asks integer not null default 0,
  note text not null default '',
  held_because text,
  paid_by text,
  asked_at timestamptz,
  approve_by timestamptz,
  approved_at timestamptz,
  primary key (merchant_id, payout_id),
  constraint approval_comes_first check (approve_by is null or approved_at is not null or stage in ('awaiting_approval', 'at_bank')),
  constraint hold_fits_stage check (held_because is null or held_because = 'seal_broken' or (
    stage in ('awaiting_approval', 'queued') and held_because in ('query_would_send', 'recovering', 'paused', 'rail_down', 'closed'))),
  constraint awaits_before_approval check (stage <> 'awaiting_approval' or (approve_by is not null and approved_at is null and attempts = 0))
) with (
  -- A backlog of a million rows must not look like the empty queue that was analysed an hour ago.
  fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 50000
);
create index payout_jobs_due on payout_jobs (rail, due_at) where stage <> 'awaiting_approval';
create index payout_jobs_to_approve on payout_jobs (merchant_id, approve_by) where stage = 'awaiting_approval';
create index payout_jobs_awaiting_due on payout_jobs (rail, due_at) where stage = 'awaiting_approval';
comment on table payout_jobs is 'The queue of pending payouts. The commit of the final state deletes the row.';
comment on column payout_jobs.due_at is 'When a worker may claim the job. A claim moves it to the end of the lease.';
comment on column payout_jobs.fence is 'Counts claims. A worker records an outcome only with the latest fence.';
comment on column payout_jobs.attempts is 'Attempts begun so far.';
comment on column payout_jobs.asks is 'Status queries since the payout was sent.';
comment on column payout_jobs.note is 'The result of the last step, such as a paused rail or a timeout. It explains why the payout is pending.';
comment on column payout_jobs.held_because is 'Why the worker did not send it at its last look. seal_broken also keeps a payout in flight from being sent again to learn its outcome. Null: nothing held it back.';
comment on column payout_jobs.paid_by is 'A rail that first denied having the payout and later reported that it paid. No worker sends the payout again. Null: none.';
comment on column payout_jobs.asked_at is 'When every bank that may have received the payout before a restore had denied it. Null: the gateway sent no query.';
comment on column payout_jobs.approve_by is 'The deadline for the approval. Null: the payout needs none.';
comment on column payout_jobs.approved_at is 'When a user approved it. Null: not approved, or no approval is needed.';
grant select, insert, update, delete on payout_jobs to gateway_app;

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
) with (
  -- The outcome lengthens the row, and its new version fits beside the old one.
  fillfactor = 45, autovacuum_analyze_threshold = 200000, autovacuum_vacuum_insert_threshold = 200000
);
comment on table payout_attempts is 'Each transmission of a payout to a bank. The gateway commits the row before it calls the bank.';
comment on column payout_attempts.reference is 'The id under which the bank knows the payout.';
comment on column payout_attempts.send_until is 'The sender''s deadline. The sender writes nothing to the bank afterwards.';
comment on column payout_attempts.outcome is 'How the attempt ended. Null: not yet.';
grant select, insert, update on payout_attempts to gateway_app;

create table rail_references (
  rail text not null,
  reference text not null,
  merchant_id text not null,
  payout_id text not null,
  primary key (rail, reference)
) with (
  autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 200000,
  autovacuum_analyze_threshold = 200000
);
comment on table rail_references is 'Directory: finds the payout of a bank''s notification by its reference.';
grant select, insert on rail_references to gateway_app;

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
  written_by xid8 not null default pg_current_xact_id(),
  primary key (merchant_id, payout_id, entry)
) with (
  autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 200000,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 200000
);
create index payout_history_in_commit_order on payout_history (written_by);
comment on table payout_history is 'Append-only. Every transition, and every action of an operator.';
comment on column payout_history.written_by is 'The database transaction that wrote the row. Events follow this order, because rows do not become visible in the order of their times.';
comment on column payout_history.actor is 'The rail, process or user that caused the entry.';
comment on column payout_history.detail is 'A text. Of the events rerouted and approval_required: the reasons, as JSON of codes with their values.';
grant select, insert on payout_history to gateway_app;

create table payout_adjustments (
  merchant_id text not null,
  payout_id text not null,
  kind text not null check (kind in ('reversed', 'late_execution', 'contradicted')),
  at timestamptz not null,
  detail text not null default '',
  rail text,
  primary key (merchant_id, payout_id, kind)
);
comment on table payout_adjustments is 'Append-only. Changes that a bank reported after the final state.';
comment on column payout_adjustments.rail is 'The rail of that bank. Null: an operator reported it.';
grant select, insert on payout_adjustments to gateway_app;

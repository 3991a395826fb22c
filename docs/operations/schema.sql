-- The schema that the migrations make: npx node gateway/generators/schema/write-schema.ts writes this file.
-- Read it; never run it on a database of a gateway, whose schema comes from `gateway migrate`.

create sequence transaction_ids increment by 1024 minvalue 1024 maxvalue 9007199254740991 start with 1024;
comment on sequence transaction_ids is 'Each process takes a block of 1024 transaction ids at a time, for payouts and deposits.';
grant usage on sequence transaction_ids to gateway_app;

create sequence clabe_numbers increment by 64 minvalue 0 maxvalue 9223372036854775807 start with 0;
comment on sequence clabe_numbers is 'Each process takes a block of 64 numbers at a time. A CLABE is made from one number.';
grant select, usage on sequence clabe_numbers to gateway_app;

create table merchants (
  merchant_id text not null,
  name text not null,
  site_url text,
  process_url text,
  success_url text,
  fail_url text,
  payout_callback_url text,
  event_url text,
  state text not null,
  settings jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null,
  constraint merchants_pkey PRIMARY KEY (merchant_id),
  constraint merchants_merchant_id_check CHECK ((merchant_id ~ '^[A-Za-z0-9._-]{1,64}$'::text)),
  constraint merchants_state_check CHECK ((state = ANY (ARRAY['test'::text, 'active'::text, 'suspended'::text])))
);
comment on table merchants is 'Merchants. The built-in merchant "operator" holds unmatched money.';
comment on column merchants.merchant_id is 'The public identifier, which the operator chooses.';
comment on column merchants.site_url is 'The merchant''s website, as payers see it.';
comment on column merchants.process_url is 'The gateway sends results of deposits here, and results of payouts if payout_callback_url is null.';
comment on column merchants.success_url is 'The hosted form sends the payer here after a payment.';
comment on column merchants.fail_url is 'The hosted form sends the payer here after a failure.';
comment on column merchants.payout_callback_url is 'The gateway sends results of payouts here. Null: it uses process_url.';
comment on column merchants.event_url is 'The gateway sends events after a final state here. Null: it sends none.';
comment on column merchants.settings is 'Setting name to text. merchant-settings.ts lists the settings.';
grant insert, select, update on merchants to gateway_app;

create table merchant_keys (
  merchant_id text not null,
  key_id text not null,
  master_key_id text not null,
  wrapped_key bytea not null,
  ciphertext bytea not null,
  created_at timestamp with time zone not null,
  retires_at timestamp with time zone,
  first_used_at timestamp with time zone,
  purpose text not null default 'api'::text,
  last_used_at timestamp with time zone,
  constraint merchant_keys_pkey PRIMARY KEY (merchant_id, key_id),
  constraint merchant_keys_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id),
  constraint merchant_keys_purpose_check CHECK ((purpose = ANY (ARRAY['api'::text, 'form'::text])))
);
comment on table merchant_keys is 'Signing keys, sealed by the vault.';
comment on column merchant_keys.master_key_id is 'The master key that encrypts wrapped_key.';
comment on column merchant_keys.wrapped_key is 'The data key of ciphertext, encrypted with the master key.';
comment on column merchant_keys.ciphertext is 'The signing key, encrypted with the data key.';
comment on column merchant_keys.retires_at is 'The key is invalid from then on. Null: the current key of its purpose.';
comment on column merchant_keys.first_used_at is 'When a request first used the key. Null: not yet.';
comment on column merchant_keys.purpose is 'api: signs requests, replies and callbacks. form: signs links to the hosted form, nothing else.';
comment on column merchant_keys.last_used_at is 'When a request last used the key, written at most once an hour, and once a minute after the rotation of the key. Null: not yet.';
grant delete, insert, select, update on merchant_keys to gateway_app;

create table ledger_accounts (
  merchant_id text not null,
  currency text not null,
  account text not null,
  balance bigint not null,
  constraint ledger_accounts_pkey PRIMARY KEY (merchant_id, currency, account),
  constraint available_not_below_zero CHECK (((account <> 'available'::text) OR (balance >= 0))),
  constraint owed_not_above_zero CHECK (((account <> 'owed'::text) OR (balance <= 0))),
  constraint reserved_not_below_zero CHECK (((account <> 'reserved'::text) OR (balance >= 0)))
) with (autovacuum_vacuum_cost_delay=0, autovacuum_vacuum_scale_factor=0.02, fillfactor=50);
comment on table ledger_accounts is 'The balance of each account: credits less debits of ledger_transfers.';
comment on column ledger_accounts.account is 'available, reserved, owed, fees, operator_funding, suspense, or clearing:RAIL.';
comment on column ledger_accounts.balance is 'Minor units.';
grant insert, select, update on ledger_accounts to gateway_app;

create table ledger_transfers (
  merchant_id text not null,
  journal_id text not null,
  line smallint not null,
  kind text not null,
  currency text not null,
  debit_account text not null,
  credit_account text not null,
  amount bigint not null,
  note text,
  posted_at timestamp with time zone not null,
  constraint ledger_transfers_pkey PRIMARY KEY (merchant_id, journal_id, line),
  constraint ledger_transfers_amount_check CHECK ((amount > 0)),
  constraint two_accounts CHECK ((debit_account <> credit_account))
) with (autovacuum_analyze_scale_factor=0.02, autovacuum_analyze_threshold=200000, autovacuum_freeze_min_age=0, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_vacuum_insert_threshold=200000);
CREATE INDEX ledger_transfers_in_time ON public.ledger_transfers USING btree (posted_at);
comment on table ledger_transfers is 'Append-only. Each row debits one account and credits another with one amount.';
comment on column ledger_transfers.journal_id is 'The posting, such as payout/A17/reserve. It is unique, so the gateway posts nothing twice.';
comment on column ledger_transfers.line is 'The number of the transfer within its journal.';
comment on column ledger_transfers.kind is 'The kind of journal, such as payout, release or funding.';
comment on column ledger_transfers.amount is 'Minor units.';
comment on column ledger_transfers.note is 'The operator''s reason, if an operator posted it by hand.';
grant insert, select on ledger_transfers to gateway_app;

create table payouts (
  merchant_id text not null,
  payout_id text not null,
  transaction_id bigint not null,
  purpose text not null,
  method smallint,
  currency text not null,
  amount bigint not null,
  amount_text text not null,
  fee bigint not null,
  rail text not null,
  account_shown text not null,
  fields jsonb not null,
  vault_token text,
  content_hash bytea not null,
  state text not null,
  blocked_reason text,
  accepted_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  seal bytea,
  accepted_by text,
  accepted_why text,
  written_by xid8 default pg_current_xact_id(),
  constraint payouts_pkey PRIMARY KEY (merchant_id, payout_id),
  constraint blocked_has_a_reason CHECK (((state = 'blocked'::text) = (blocked_reason IS NOT NULL))),
  constraint final_has_an_end CHECK (((state = 'pending'::text) = (finished_at IS NULL))),
  constraint method_fits_purpose CHECK (((purpose = 'payout'::text) = (method IS NOT NULL))),
  constraint payouts_amount_check CHECK ((amount > 0)),
  constraint payouts_fee_check CHECK ((fee >= 0)),
  constraint payouts_purpose_check CHECK ((purpose = ANY (ARRAY['payout'::text, 'return'::text, 'refund'::text]))),
  constraint payouts_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'success'::text, 'blocked'::text])))
) with (autovacuum_analyze_scale_factor=0.02, autovacuum_analyze_threshold=200000, autovacuum_vacuum_insert_threshold=200000, autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_threshold=100000, fillfactor=50);
CREATE INDEX payouts_by_account ON public.payouts USING brin (account_shown text_bloom_ops (n_distinct_per_range='1000', false_positive_rate='0.001')) WITH (pages_per_range='128', autosummarize='on');
CREATE INDEX payouts_by_id ON public.payouts USING brin (payout_id text_bloom_ops (n_distinct_per_range='1000', false_positive_rate='0.001')) WITH (pages_per_range='128', autosummarize='on');
CREATE INDEX payouts_by_number ON public.payouts USING brin (transaction_id int8_minmax_multi_ops) WITH (pages_per_range='64', autosummarize='on');
CREATE INDEX payouts_by_transaction ON public.payouts USING btree (merchant_id, transaction_id);
CREATE INDEX payouts_in_commit_order ON public.payouts USING btree (written_by) WHERE (accepted_why IS NOT NULL);
CREATE INDEX payouts_in_time ON public.payouts USING btree (merchant_id, currency, accepted_at);
CREATE INDEX payouts_newest ON public.payouts USING btree (accepted_at, transaction_id, amount);
CREATE INDEX payouts_of_gateway ON public.payouts USING btree (merchant_id, accepted_at, transaction_id) WHERE (purpose <> 'payout'::text);
CREATE INDEX payouts_of_gateway_newest ON public.payouts USING btree (accepted_at, transaction_id) WHERE (purpose <> 'payout'::text);
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
comment on column payouts.seal is 'Keyed hash, made at acceptance, of the data that the gateway sends. Null: an earlier version accepted the payout.';
comment on column payouts.accepted_by is 'The user or program that created the payout. Null: the merchant.';
comment on column payouts.accepted_why is 'Why the payout goes to its first rail, as JSON of codes with their values. Null: an earlier version wrote the entry to payout_history.';
comment on column payouts.written_by is 'The database transaction that accepted the payout, as in payout_history.';
grant insert, select, update (blocked_reason, finished_at, rail, state) on payouts to gateway_app;

create table payout_makers (
  merchant_id text not null,
  payout_id text not null,
  kind text not null,
  id text not null,
  name text not null,
  people text[] not null,
  mailbox text not null,
  constraint payout_makers_pkey PRIMARY KEY (merchant_id, payout_id),
  constraint payout_makers_as_approvals_name_them UNIQUE (merchant_id, payout_id, people, mailbox),
  constraint payout_makers_kind_check CHECK ((kind = ANY (ARRAY['person'::text, 'token'::text, 'emergency'::text, 'merchant'::text])))
);
comment on table payout_makers is 'Append-only. The creator of each payout of the management API or the command line, who must not approve it. A signed payout that waits for approval has a row for its merchant''s server.';
comment on column payout_makers.people is 'The user, or the users who created the token or saw its secret. Empty: unknown.';
comment on column payout_makers.mailbox is 'The email address of that user, without the parts that mail servers ignore. Empty: unknown.';
grant insert, select on payout_makers to gateway_app;

create table payout_jobs (
  merchant_id text not null,
  payout_id text not null,
  rail text not null,
  purpose text not null,
  method smallint,
  stage text not null,
  stage_since timestamp with time zone not null,
  due_at timestamp with time zone not null,
  fence integer not null default 0,
  attempts integer not null default 0,
  asks integer not null default 0,
  note text not null default ''::text,
  held_because text,
  paid_by text,
  asked_at timestamp with time zone,
  approve_by timestamp with time zone,
  approved_at timestamp with time zone,
  constraint payout_jobs_pkey PRIMARY KEY (merchant_id, payout_id),
  constraint approval_comes_first CHECK (((approve_by IS NULL) OR (approved_at IS NOT NULL) OR (stage = ANY (ARRAY['awaiting_approval'::text, 'at_bank'::text])))),
  constraint awaits_before_approval CHECK (((stage <> 'awaiting_approval'::text) OR ((approve_by IS NOT NULL) AND (approved_at IS NULL) AND (attempts = 0)))),
  constraint hold_fits_stage CHECK (((held_because IS NULL) OR (held_because = 'seal_broken'::text) OR ((stage = ANY (ARRAY['awaiting_approval'::text, 'queued'::text])) AND (held_because = ANY (ARRAY['query_would_send'::text, 'recovering'::text, 'paused'::text, 'rail_down'::text, 'closed'::text]))))),
  constraint payout_jobs_stage_check CHECK ((stage = ANY (ARRAY['awaiting_approval'::text, 'queued'::text, 'sending'::text, 'at_bank'::text, 'unknown'::text])))
) with (autovacuum_analyze_scale_factor=0.02, autovacuum_analyze_threshold=50000, autovacuum_vacuum_cost_delay=0, autovacuum_vacuum_scale_factor=0.02, fillfactor=50);
CREATE INDEX payout_jobs_awaiting_due ON public.payout_jobs USING btree (rail, due_at) WHERE (stage = 'awaiting_approval'::text);
CREATE INDEX payout_jobs_due ON public.payout_jobs USING btree (rail, due_at) WHERE (stage <> 'awaiting_approval'::text);
CREATE INDEX payout_jobs_to_approve ON public.payout_jobs USING btree (merchant_id, approve_by) WHERE (stage = 'awaiting_approval'::text);
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
grant delete, insert, select, update on payout_jobs to gateway_app;

create table payout_attempts (
  merchant_id text not null,
  payout_id text not null,
  attempt integer not null,
  rail text not null,
  reference text not null,
  started_at timestamp with time zone not null,
  send_until timestamp with time zone not null,
  finished_at timestamp with time zone,
  outcome text,
  detail text not null default ''::text,
  constraint payout_attempts_pkey PRIMARY KEY (merchant_id, payout_id, attempt)
) with (autovacuum_analyze_threshold=200000, autovacuum_vacuum_insert_threshold=200000, fillfactor=45);
comment on table payout_attempts is 'Each transmission of a payout to a bank. The gateway commits the row before it calls the bank.';
comment on column payout_attempts.reference is 'The id under which the bank knows the payout.';
comment on column payout_attempts.send_until is 'The sender''s deadline. The sender writes nothing to the bank afterwards.';
comment on column payout_attempts.outcome is 'How the attempt ended. Null: not yet.';
grant insert, select, update on payout_attempts to gateway_app;

create table rail_references (
  rail text not null,
  reference text not null,
  merchant_id text not null,
  payout_id text not null,
  constraint rail_references_pkey PRIMARY KEY (rail, reference)
) with (autovacuum_analyze_threshold=200000, autovacuum_freeze_min_age=0, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_vacuum_insert_threshold=200000);
comment on table rail_references is 'Directory: finds the payout of a bank''s notification by its reference.';
grant insert, select on rail_references to gateway_app;

create table payout_history (
  merchant_id text not null,
  payout_id text not null,
  entry smallint not null,
  at timestamp with time zone not null,
  event text not null,
  from_state text,
  to_state text not null,
  actor text not null,
  detail text not null default ''::text,
  written_by xid8 not null default pg_current_xact_id(),
  constraint payout_history_pkey PRIMARY KEY (merchant_id, payout_id, entry)
) with (autovacuum_analyze_scale_factor=0.02, autovacuum_analyze_threshold=200000, autovacuum_freeze_min_age=0, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_vacuum_insert_threshold=200000);
CREATE INDEX payout_history_in_commit_order ON public.payout_history USING btree (written_by);
comment on table payout_history is 'Append-only. Every transition after the acceptance, and every action of an operator.';
comment on column payout_history.actor is 'The rail, process or user that caused the entry.';
comment on column payout_history.detail is 'A text. Of the events rerouted and approval_required: the reasons, as JSON of codes with their values.';
comment on column payout_history.written_by is 'The database transaction that wrote the row. Events follow this order, because rows do not become visible in the order of their times.';
grant insert, select on payout_history to gateway_app;

create table payout_adjustments (
  merchant_id text not null,
  payout_id text not null,
  kind text not null,
  at timestamp with time zone not null,
  detail text not null default ''::text,
  rail text,
  constraint payout_adjustments_pkey PRIMARY KEY (merchant_id, payout_id, kind),
  constraint payout_adjustments_kind_check CHECK ((kind = ANY (ARRAY['reversed'::text, 'late_execution'::text, 'contradicted'::text])))
);
comment on table payout_adjustments is 'Append-only. Changes that a bank reported after the final state.';
comment on column payout_adjustments.rail is 'The rail of that bank. Null: an operator reported it.';
grant insert, select on payout_adjustments to gateway_app;

create table deposits (
  merchant_id text not null,
  transaction_id bigint not null,
  uuid uuid not null,
  order_id text not null,
  payment_type text not null,
  currency text not null,
  amount bigint not null,
  amount_text text not null,
  payer jsonb not null,
  rail text not null,
  pay_to text not null,
  beneficiary text not null,
  state text not null,
  fail_reason text,
  received bigint not null default 0,
  fee bigint not null default 0,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  closes_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  displaced_by bigint,
  constraint deposits_pkey PRIMARY KEY (merchant_id, transaction_id),
  constraint deposits_amount_check CHECK ((amount > 0)),
  constraint deposits_fail_reason_check CHECK ((fail_reason = ANY (ARRAY['declined'::text, 'cancelled'::text, 'expired'::text, 'displaced'::text]))),
  constraint deposits_fee_check CHECK ((fee >= 0)),
  constraint deposits_received_check CHECK ((received >= 0)),
  constraint deposits_state_check CHECK ((state = ANY (ARRAY['created'::text, 'pending'::text, 'success'::text, 'fail'::text]))),
  constraint fail_has_a_reason CHECK (((state = 'fail'::text) = (fail_reason IS NOT NULL))),
  constraint final_has_an_end CHECK (((state = ANY (ARRAY['created'::text, 'pending'::text])) = (finished_at IS NULL))),
  constraint grace_follows_expiry CHECK ((closes_at >= expires_at))
) with (fillfactor=85);
CREATE INDEX deposits_by_address ON public.deposits USING brin (pay_to text_bloom_ops (n_distinct_per_range='2000', false_positive_rate='0.001')) WITH (pages_per_range='128', autosummarize='on');
CREATE INDEX deposits_by_number ON public.deposits USING brin (transaction_id int8_minmax_multi_ops) WITH (pages_per_range='64', autosummarize='on');
CREATE INDEX deposits_by_order ON public.deposits USING brin (order_id text_bloom_ops (n_distinct_per_range='2000', false_positive_rate='0.001')) WITH (pages_per_range='128', autosummarize='on');
CREATE INDEX deposits_by_uuid ON public.deposits USING brin (uuid uuid_bloom_ops (n_distinct_per_range='2000', false_positive_rate='0.001')) WITH (pages_per_range='128', autosummarize='on');
CREATE INDEX deposits_in_time ON public.deposits USING btree (merchant_id, currency, created_at);
CREATE INDEX deposits_newest ON public.deposits USING btree (created_at, transaction_id, amount);
CREATE INDEX deposits_of_order ON public.deposits USING btree (merchant_id, order_id);
CREATE INDEX deposits_open ON public.deposits USING btree (closes_at) WHERE (finished_at IS NULL);
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
grant insert, select, update on deposits to gateway_app;

create table deposit_orders (
  merchant_id text not null,
  order_id text not null,
  transaction_id bigint not null,
  is_signed boolean not null default true,
  visitor_hash bytea,
  constraint deposit_orders_pkey PRIMARY KEY (merchant_id, order_id)
);
comment on table deposit_orders is 'Prevents a second deposit for an order. One namespace per merchant, kept indefinitely.';
comment on column deposit_orders.transaction_id is 'The current deposit of the order.';
comment on column deposit_orders.is_signed is 'False: the request had no signature, so a signed request for the order takes precedence.';
comment on column deposit_orders.visitor_hash is 'Hash of the payer''s browser, which may return to its own payment.';
grant delete, insert, select, update on deposit_orders to gateway_app;

create table deposit_history (
  merchant_id text not null,
  transaction_id bigint not null,
  entry integer not null,
  at timestamp with time zone not null,
  event text not null,
  from_state text,
  to_state text not null,
  actor text not null,
  detail text not null default ''::text,
  written_by xid8 not null default pg_current_xact_id(),
  constraint deposit_history_pkey PRIMARY KEY (merchant_id, transaction_id, entry)
) with (autovacuum_freeze_min_age=0, autovacuum_vacuum_insert_scale_factor=0.05);
CREATE INDEX deposit_history_in_commit_order ON public.deposit_history USING btree (written_by);
comment on table deposit_history is 'Append-only. Every transition, every transfer, and every action of an operator.';
comment on column deposit_history.actor is 'The rail, process or user that caused the entry.';
comment on column deposit_history.written_by is 'The database transaction that wrote the row. Events follow this order, because rows do not become visible in the order of their times.';
grant insert, select on deposit_history to gateway_app;

create table clabes (
  clabe text not null,
  merchant_id text not null,
  transaction_id bigint not null,
  assigned_at timestamp with time zone not null,
  reusable_at timestamp with time zone not null,
  constraint clabes_pkey PRIMARY KEY (clabe),
  constraint clabes_clabe_check CHECK ((clabe ~ '^\d{18}$'::text))
);
CREATE INDEX clabes_reusable ON public.clabes USING btree (merchant_id, reusable_at);
comment on table clabes is 'Directory: finds the deposit of a CLABE. A CLABE never changes its merchant.';
comment on column clabes.transaction_id is 'The current deposit of the CLABE.';
comment on column clabes.reusable_at is 'From then on, the CLABE may go to another deposit of the merchant.';
grant insert, select, update on clabes to gateway_app;

create table incoming_transfers (
  merchant_id text not null,
  rail text not null,
  transfer_key text not null,
  transaction_id bigint,
  pay_to text not null,
  currency text not null,
  amount bigint not null,
  originator jsonb not null,
  mismatch text,
  state text not null,
  return_id text,
  is_return_overtaken boolean not null default false,
  found_by text not null,
  booked_at timestamp with time zone not null,
  recorded_at timestamp with time zone not null,
  resolved_at timestamp with time zone,
  resolution text not null default ''::text,
  former_merchants text[] not null default '{}'::text[],
  constraint incoming_transfers_pkey PRIMARY KEY (merchant_id, rail, transfer_key),
  constraint incoming_transfers_amount_check CHECK ((amount > 0)),
  constraint incoming_transfers_found_by_check CHECK ((found_by = ANY (ARRAY['notification'::text, 'reconciliation'::text, 'answer'::text]))),
  constraint incoming_transfers_mismatch_check CHECK ((mismatch = ANY (ARRAY['other_currency'::text, 'short'::text, 'over'::text, 'late'::text, 'twice'::text, 'other_payer'::text, 'unmatched'::text, 'displaced'::text]))),
  constraint incoming_transfers_state_check CHECK ((state = ANY (ARRAY['credited'::text, 'held'::text, 'given_up'::text, 'sent_back'::text])))
);
CREATE INDEX incoming_transfers_held ON public.incoming_transfers USING btree (merchant_id, recorded_at) WHERE (state = 'held'::text);
CREATE INDEX incoming_transfers_in_time ON public.incoming_transfers USING btree (merchant_id, recorded_at, rail, transfer_key);
CREATE INDEX incoming_transfers_newest ON public.incoming_transfers USING btree (recorded_at, rail, transfer_key);
CREATE INDEX incoming_transfers_of_deposit ON public.incoming_transfers USING btree (merchant_id, transaction_id);
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
comment on column incoming_transfers.found_by is 'How the gateway learned of the transfer. reconciliation: from the bank''s list. answer: from the provider''s response about a payment on the form.';
comment on column incoming_transfers.booked_at is 'When the bank booked it.';
comment on column incoming_transfers.resolution is 'The operator''s decision and its reason.';
comment on column incoming_transfers.former_merchants is 'The merchants that had it before, oldest first. A late refund by one of them counts against it.';
grant insert, select, update on incoming_transfers to gateway_app;

create table incoming_transfer_keys (
  rail text not null,
  transfer_key text not null,
  merchant_id text not null,
  constraint incoming_transfer_keys_pkey PRIMARY KEY (rail, transfer_key)
) with (autovacuum_freeze_min_age=0, autovacuum_vacuum_insert_scale_factor=0.05);
comment on table incoming_transfer_keys is 'Directory: prevents a second record of a transfer, even after its address passed to another deposit.';
grant insert, select, update on incoming_transfer_keys to gateway_app;

create table form_sessions (
  merchant_id text not null,
  session_id uuid not null,
  token_hash bytea not null,
  order_id text not null,
  currency text not null,
  amount bigint not null,
  amount_text text not null,
  is_signed boolean not null,
  visitor_hash bytea,
  language text not null,
  payment_type text,
  parameters jsonb not null,
  transaction_id bigint,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint form_sessions_pkey PRIMARY KEY (merchant_id, session_id),
  constraint form_sessions_amount_check CHECK ((amount > 0)),
  constraint form_sessions_language_check CHECK ((language = ANY (ARRAY['en'::text, 'uk'::text, 'kk'::text, 'pt-BR'::text, 'es-MX'::text, 'fr'::text, 'de'::text, 'pl'::text])))
);
CREATE INDEX form_sessions_unused ON public.form_sessions USING btree (expires_at) WHERE (transaction_id IS NULL);
CREATE INDEX form_sessions_used ON public.form_sessions USING btree (expires_at) WHERE (transaction_id IS NOT NULL);
comment on table form_sessions is 'One row per opened form. It becomes a deposit when the payer submits. The gateway deletes it later, since it describes the payer.';
comment on column form_sessions.token_hash is 'Its row in form_tokens.';
comment on column form_sessions.amount is 'Minor units.';
comment on column form_sessions.amount_text is 'The amount as the merchant wrote it.';
comment on column form_sessions.is_signed is 'Whether the merchant signed the link.';
comment on column form_sessions.visitor_hash is 'Hash that identifies the payer''s browser. Null: the browser keeps no cookie.';
comment on column form_sessions.payment_type is 'Null: the payer chooses.';
comment on column form_sessions.parameters is 'The other parameters of the request by their wire names.';
comment on column form_sessions.transaction_id is 'The deposit that it has become. Null: none yet.';
grant delete, insert, select, update on form_sessions to gateway_app;

create table form_tokens (
  token_hash bytea not null,
  merchant_id text not null,
  session_id uuid not null,
  constraint form_tokens_pkey PRIMARY KEY (token_hash)
);
comment on table form_tokens is 'Directory: finds the session of a token in an address. The gateway does not store the token.';
grant delete, insert, select on form_tokens to gateway_app;

create table payment_attempts (
  merchant_id text not null,
  transaction_id bigint not null,
  attempt smallint not null,
  rail text not null,
  payment_type text not null,
  reference text not null,
  provider_reference text not null default ''::text,
  kept text not null default ''::text,
  receipts text[] not null default '{}'::text[],
  state text not null,
  step jsonb,
  is_authorised boolean not null default false,
  refusal text,
  can_retry boolean not null default false,
  detail text not null default ''::text,
  started_at timestamp with time zone not null,
  send_until timestamp with time zone not null,
  ask_at timestamp with time zone,
  asks integer not null default 0,
  finished_at timestamp with time zone,
  open_returns integer not null default 0,
  constraint payment_attempts_pkey PRIMARY KEY (merchant_id, transaction_id, attempt),
  constraint an_end_has_a_time CHECK (((state = ANY (ARRAY['paid'::text, 'refused'::text, 'abandoned'::text])) = (finished_at IS NOT NULL))),
  constraint nothing_waits_after_the_end CHECK (((finished_at IS NULL) = (ask_at IS NOT NULL))),
  constraint payment_attempts_attempt_check CHECK ((attempt > 0)),
  constraint payment_attempts_state_check CHECK ((state = ANY (ARRAY['starting'::text, 'acting'::text, 'deciding'::text, 'unknown'::text, 'paid'::text, 'refused'::text, 'abandoned'::text]))),
  constraint who_acts_has_a_step CHECK (((state = 'acting'::text) = (step IS NOT NULL)))
) with (fillfactor=70);
CREATE INDEX payment_attempts_by_provider ON public.payment_attempts USING brin (provider_reference text_bloom_ops (n_distinct_per_range='2000', false_positive_rate='0.001')) WITH (pages_per_range='128', autosummarize='on');
CREATE INDEX payment_attempts_due ON public.payment_attempts USING btree (rail, ask_at) WHERE (ask_at IS NOT NULL);
CREATE INDEX payment_attempts_in_time ON public.payment_attempts USING btree (merchant_id, started_at, transaction_id, attempt);
CREATE INDEX payment_attempts_newest ON public.payment_attempts USING btree (started_at, transaction_id, attempt);
comment on table payment_attempts is 'Each payment by a payer on the hosted form. The gateway commits it before it calls the provider.';
comment on column payment_attempts.transaction_id is 'The deposit.';
comment on column payment_attempts.reference is 'The gateway''s id of the attempt at the provider.';
comment on column payment_attempts.provider_reference is 'The provider''s own id of the attempt. Empty: none yet.';
comment on column payment_attempts.kept is 'Data of the rail for its later calls. Never card data.';
comment on column payment_attempts.receipts is 'The provider''s keys of its receipts.';
comment on column payment_attempts.step is 'The payer''s next action.';
comment on column payment_attempts.is_authorised is 'Whether the provider authorised the payment.';
comment on column payment_attempts.refusal is 'Why the attempt was refused, in the gateway''s codes.';
comment on column payment_attempts.can_retry is 'Whether the payer may begin another attempt.';
comment on column payment_attempts.send_until is 'The sender''s deadline. The sender writes nothing to the provider afterwards.';
comment on column payment_attempts.ask_at is 'When the worker queries the provider, unless a notification arrives before.';
comment on column payment_attempts.asks is 'Status queries so far.';
comment on column payment_attempts.open_returns is 'The payer''s returns from the current step that may have reached the provider without a recorded response. While there is one, only an outcome ends the attempt.';
grant insert, select, update on payment_attempts to gateway_app;

create table payment_references (
  rail text not null,
  reference text not null,
  merchant_id text not null,
  transaction_id bigint not null,
  attempt smallint not null,
  constraint payment_references_pkey PRIMARY KEY (rail, reference)
);
comment on table payment_references is 'Directory: finds the attempt of a provider''s notification by its reference.';
grant insert, select on payment_references to gateway_app;

create table payment_cards (
  merchant_id text not null,
  transaction_id bigint not null,
  attempt smallint not null,
  mask text not null,
  vault_token text not null,
  constraint payment_cards_pkey PRIMARY KEY (merchant_id, transaction_id, attempt)
);
comment on table payment_cards is 'The card of a card attempt.';
comment on column payment_cards.mask is 'The first six and last four digits.';
comment on column payment_cards.vault_token is 'The sealed number, expiry and holder, until the attempt ends. The gateway never stores the CVV.';
grant insert, select on payment_cards to gateway_app;

create table counted_attempts (
  merchant_id text not null,
  transaction_id bigint not null,
  attempt smallint not null,
  target_hash bytea,
  address_hash bytea,
  is_signed boolean not null,
  attempted_at timestamp with time zone not null,
  constraint counted_attempts_pkey PRIMARY KEY (merchant_id, transaction_id, attempt)
);
CREATE INDEX counted_attempts_by_address ON public.counted_attempts USING btree (merchant_id, address_hash, attempted_at) WHERE (address_hash IS NOT NULL);
CREATE INDEX counted_attempts_by_target ON public.counted_attempts USING btree (merchant_id, target_hash, attempted_at) WHERE (target_hash IS NOT NULL);
CREATE INDEX counted_attempts_unsigned ON public.counted_attempts USING btree (merchant_id, attempted_at) WHERE (NOT is_signed);
comment on table counted_attempts is 'The attempt limits count these rows. They never change, unlike payment_attempts, so their indexes stay small.';
comment on column counted_attempts.target_hash is 'Keyed hash of the card number, email address or CPF that the attempt contacts. Null: it contacts only the payer.';
comment on column counted_attempts.address_hash is 'Keyed hash of the payer''s network address, for IPv6 of its network. Null: unknown.';
comment on column counted_attempts.is_signed is 'Whether the merchant signed the form. Attempts on unsigned forms count per merchant too.';
grant insert, select on counted_attempts to gateway_app;

create table payer_bank_lists (
  rail text not null,
  banks jsonb not null,
  listed_at timestamp with time zone not null,
  constraint payer_bank_lists_pkey PRIMARY KEY (rail)
);
comment on table payer_bank_lists is 'The latest valid bank list of each rail''s provider.';
comment on column payer_bank_lists.banks is 'The banks that a payer can choose.';
grant insert, select, update on payer_bank_lists to gateway_app;

create table deposit_adjustments (
  merchant_id text not null,
  transaction_id bigint not null,
  attempt smallint not null,
  kind text not null,
  key text not null,
  currency text not null,
  amount bigint not null,
  posted bigint not null,
  at timestamp with time zone not null,
  detail text not null default ''::text,
  by_receipt bigint not null default 0,
  receipt_key text,
  constraint deposit_adjustments_pkey PRIMARY KEY (merchant_id, transaction_id, attempt, kind, key),
  constraint deposit_adjustments_amount_check CHECK ((amount > 0)),
  constraint deposit_adjustments_by_receipt_check CHECK ((by_receipt >= 0)),
  constraint deposit_adjustments_check CHECK (((posted >= 0) AND (posted <= amount))),
  constraint deposit_adjustments_kind_check CHECK ((kind = ANY (ARRAY['refunded'::text, 'refund_undone'::text, 'charged_back'::text, 'chargeback_undone'::text, 'debited'::text])))
);
CREATE INDEX deposit_adjustments_short ON public.deposit_adjustments USING btree (merchant_id, transaction_id) WHERE (posted < amount);
comment on table deposit_adjustments is 'Refunds, chargebacks and debits that a provider reported after the result, each once. The gateway''s own refunds are payouts.';
comment on column deposit_adjustments.attempt is 'The payment that it adjusts.';
comment on column deposit_adjustments.key is 'The provider''s key of the adjustment. Its reversal has the same key.';
comment on column deposit_adjustments.amount is 'The provider''s amount in minor units, or the rest of the payment if the provider stated none.';
comment on column deposit_adjustments.posted is 'The part that the ledger posted, at most the rest of the payment. The operator resolves the remainder.';
comment on column deposit_adjustments.by_receipt is 'The part of posted that receipt_takings lists by receipt.';
comment on column deposit_adjustments.receipt_key is 'The receipt that the provider identified. Null: none, or the payment can have only one.';
grant insert, select, update (by_receipt, posted) on deposit_adjustments to gateway_app;

create table receipt_takings (
  merchant_id text not null,
  transaction_id bigint not null,
  attempt smallint not null,
  kind text not null,
  key text not null,
  part text not null,
  transfer_key text not null,
  rail text not null,
  account text not null,
  amount bigint not null,
  at timestamp with time zone not null,
  constraint receipt_takings_pkey PRIMARY KEY (merchant_id, transaction_id, attempt, kind, key, part, transfer_key),
  constraint receipt_takings_account_check CHECK ((account = ANY (ARRAY['available'::text, 'suspense'::text]))),
  constraint receipt_takings_amount_check CHECK ((amount > 0)),
  constraint receipt_takings_kind_check CHECK ((kind = ANY (ARRAY['refunded'::text, 'refund_undone'::text, 'charged_back'::text, 'chargeback_undone'::text, 'debited'::text]))),
  constraint receipt_takings_part_check CHECK ((part = ANY (ARRAY['first'::text, 'rest'::text])))
);
CREATE INDEX receipt_takings_of_receipt ON public.receipt_takings USING btree (merchant_id, rail, transfer_key);
comment on table receipt_takings is 'Append-only. How much each deposit adjustment took from a receipt, or restored to it.';
comment on column receipt_takings.merchant_id is 'The merchant that has the receipt. The payment may belong to another merchant.';
comment on column receipt_takings.transaction_id is 'With attempt, kind and key: the deposit adjustment.';
comment on column receipt_takings.part is 'first: with the provider''s report. rest: later, after a refund or return failed.';
comment on column receipt_takings.transfer_key is 'With rail: the receipt, a row of incoming_transfers.';
comment on column receipt_takings.account is 'suspense: the receipt was held. available: it was credited.';
comment on column receipt_takings.amount is 'Minor units, in the currency of the receipt.';
grant insert, select on receipt_takings to gateway_app;

create table deposit_refunds (
  merchant_id text not null,
  payout_id text not null,
  transaction_id bigint not null,
  attempt smallint not null,
  reason text not null,
  transfer_key text,
  act text,
  constraint deposit_refunds_pkey PRIMARY KEY (merchant_id, payout_id),
  constraint deposit_refunds_merchant_id_act_key UNIQUE (merchant_id, act)
);
CREATE INDEX deposit_refunds_of_deposit ON public.deposit_refunds USING btree (merchant_id, transaction_id);
CREATE INDEX deposit_refunds_of_receipt ON public.deposit_refunds USING btree (merchant_id, transfer_key);
comment on table deposit_refunds is 'The payment that each refund returns, in whole or in part. A refund is also a payout of the gateway.';
comment on column deposit_refunds.transaction_id is 'The deposit that the receipt was credited to.';
comment on column deposit_refunds.attempt is 'The payment: an attempt of this deposit, or of the receipt''s first deposit if the operator moved the receipt.';
comment on column deposit_refunds.transfer_key is 'The receipt that the refund returns.';
comment on column deposit_refunds.act is 'The action of the management API that ordered the refund; a repeated request finds it here. Null: the command line ordered it.';
grant insert, select on deposit_refunds to gateway_app;

create table callbacks (
  merchant_id text not null,
  callback_id text not null,
  subject text not null,
  subject_id text not null,
  payload json not null,
  state text not null,
  created_at timestamp with time zone not null,
  attempts smallint not null default 0,
  schedule_start smallint not null default 0,
  first_attempt_at timestamp with time zone,
  due_at timestamp with time zone,
  finished_at timestamp with time zone,
  constraint callbacks_pkey PRIMARY KEY (merchant_id, callback_id),
  constraint callbacks_state_check CHECK ((state = ANY (ARRAY['due'::text, 'delivered'::text, 'undelivered'::text, 'not_wanted'::text]))),
  constraint callbacks_subject_check CHECK ((subject = ANY (ARRAY['payout'::text, 'deposit'::text, 'event'::text]))),
  constraint due_has_a_time CHECK (((state = 'due'::text) = (due_at IS NOT NULL)))
) with (autovacuum_analyze_scale_factor=0.02, autovacuum_analyze_threshold=50000, autovacuum_vacuum_cost_delay=0, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_vacuum_insert_threshold=200000, autovacuum_vacuum_scale_factor=0.02, fillfactor=100);
CREATE INDEX callbacks_due ON public.callbacks USING btree (merchant_id, due_at) WHERE (state = 'due'::text);
CREATE INDEX callbacks_in_time ON public.callbacks USING btree (merchant_id, created_at);
CREATE INDEX callbacks_newest ON public.callbacks USING btree (created_at);
CREATE INDEX callbacks_undelivered ON public.callbacks USING btree (merchant_id, created_at) WHERE (state = 'undelivered'::text);
comment on table callbacks is 'One row per callback. The commit that changes the subject writes it.';
comment on column callbacks.callback_id is 'The webhook-id of every attempt.';
comment on column callbacks.subject_id is 'The payout_id of the payout, or the order of the deposit.';
comment on column callbacks.payload is 'An array of [name, value] in sending order, without the signature. As json it takes a third less space than as jsonb.';
comment on column callbacks.state is 'undelivered: the gateway stopped its attempts. not_wanted: the merchant has no address for it.';
comment on column callbacks.attempts is 'Delivery attempts so far.';
comment on column callbacks.schedule_start is 'The number of attempts when the retry schedule began. A resend restarts the schedule.';
comment on column callbacks.first_attempt_at is 'The retry schedule counts from then.';
grant insert, select, update on callbacks to gateway_app;

create table callback_lanes (
  merchant_id text not null,
  due_at timestamp with time zone not null,
  lease_until timestamp with time zone,
  paused_until timestamp with time zone,
  fence integer not null default 0,
  failures integer not null default 0,
  constraint callback_lanes_pkey PRIMARY KEY (merchant_id)
) with (autovacuum_vacuum_cost_delay=0, autovacuum_vacuum_scale_factor=0.02, fillfactor=50);
CREATE INDEX callback_lanes_ready ON public.callback_lanes USING btree (COALESCE(lease_until, GREATEST(due_at, paused_until)));
comment on table callback_lanes is 'One row per merchant with callbacks. Only the lease holder delivers them, so no merchant delays another.';
comment on column callback_lanes.due_at is 'When the lane has work. A new callback lowers it, and the holder sets it when it releases the lane.';
comment on column callback_lanes.lease_until is 'When the lease expires. Null: no process holds the lane.';
comment on column callback_lanes.paused_until is 'The breaker is open until then, and no attempt is made. Null: it is closed.';
comment on column callback_lanes.fence is 'Counts claims. A worker records an outcome only with the latest fence.';
comment on column callback_lanes.failures is 'Consecutive failed attempts when the last holder released the lane. They open the breaker.';
grant insert, select, update on callback_lanes to gateway_app;

create table callback_attempts (
  merchant_id text not null,
  callback_id text not null,
  attempt smallint not null,
  started_at timestamp with time zone not null,
  latency_ms integer not null,
  http_status smallint,
  outcome text not null,
  reply text not null,
  sent json,
  written_by xid8 not null default pg_current_xact_id(),
  constraint callback_attempts_pkey PRIMARY KEY (merchant_id, callback_id, attempt)
) with (autovacuum_analyze_threshold=200000, autovacuum_freeze_min_age=0, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_vacuum_insert_threshold=200000);
CREATE INDEX callback_attempts_in_commit_order ON public.callback_attempts USING btree (written_by);
comment on table callback_attempts is 'Append-only. Every delivery attempt with its result.';
comment on column callback_attempts.http_status is 'Null: the merchant''s server did not respond.';
comment on column callback_attempts.reply is 'The first KiB of the response.';
comment on column callback_attempts.sent is 'An array: address, format, signature field, x-sign, timestamp and webhook-signature. Together with the payload they give the exact bytes that were sent. Null: nothing was sent.';
comment on column callback_attempts.written_by is 'The database transaction that wrote the row. Events follow this order, because rows do not become visible in the order of their times.';
grant insert, select on callback_attempts to gateway_app;

create table pauses (
  scope text not null,
  target text not null,
  since timestamp with time zone not null,
  reason text not null,
  constraint pauses_pkey PRIMARY KEY (scope, target),
  constraint pauses_scope_check CHECK ((scope = ANY (ARRAY['merchant'::text, 'method'::text, 'purpose'::text, 'rail'::text])))
);
comment on table pauses is 'Targets that an operator has paused. Accepted payouts wait.';
comment on column pauses.target is 'The merchant, the number of the method, the purpose, or the rail.';
grant delete, insert, select, update on pauses to gateway_app;

create table routes (
  method smallint not null,
  merchant_id text not null,
  rail text not null,
  rank smallint not null,
  weight integer,
  min_amount bigint,
  max_amount bigint,
  cost_fixed bigint not null,
  cost_percent bigint not null,
  constraint routes_pkey PRIMARY KEY (method, merchant_id, rail),
  constraint routes_cost_fixed_check CHECK ((cost_fixed >= 0)),
  constraint routes_cost_percent_check CHECK ((cost_percent >= 0)),
  constraint routes_max_amount_check CHECK ((max_amount > 0)),
  constraint routes_min_amount_check CHECK ((min_amount > 0)),
  constraint routes_rank_check CHECK ((rank > 0)),
  constraint routes_weight_check CHECK ((weight > 0))
);
comment on table routes is 'The rails that the payouts of a method may take. Without routes a method takes every configured rail that carries it.';
comment on column routes.merchant_id is 'Empty: for every merchant without routes for the method.';
comment on column routes.rank is 'The lowest rank comes first.';
comment on column routes.weight is 'The share among the routes of the same rank. Null: the cheapest comes first.';
comment on column routes.min_amount is 'Minor units. Null: no limit.';
comment on column routes.max_amount is 'Minor units. Null: no limit.';
comment on column routes.cost_fixed is 'Minor units for each payout.';
comment on column routes.cost_percent is 'Millionths of the amount.';
grant delete, insert, select, update on routes to gateway_app;

create table rail_hours (
  rail text not null,
  hours text not null,
  constraint rail_hours_pkey PRIMARY KEY (rail)
);
comment on table rail_hours is 'The hours in which a rail accepts payouts. A rail without a row always accepts them.';
grant delete, insert, select, update on rail_hours to gateway_app;

create table rail_health (
  rail text not null,
  process text not null,
  breaker text not null,
  in_flight integer not null,
  reported_at timestamp with time zone not null,
  constraint rail_health_pkey PRIMARY KEY (rail, process)
);
comment on table rail_health is 'Every few seconds each worker records the state of its rails. An old row belongs to a process that has ended.';
comment on column rail_health.breaker is 'The state of the circuit breaker.';
comment on column rail_health.in_flight is 'Payouts in flight.';
comment on column rail_health.reported_at is 'When the worker wrote the row.';
grant delete, insert, select, update on rail_health to gateway_app;

create table rail_floats (
  rail text not null,
  currency text not null,
  amount bigint,
  read_at timestamp with time zone,
  low_mark bigint,
  constraint rail_floats_pkey PRIMARY KEY (rail, currency),
  constraint rail_floats_low_mark_check CHECK ((low_mark > 0))
);
comment on table rail_floats is 'The prefunded balance at each provider.';
comment on column rail_floats.amount is 'Minor units, from the last query. Null: not asked yet.';
comment on column rail_floats.low_mark is 'The operator''s threshold in minor units. The gateway raises an alert below it.';
grant delete, insert, select, update on rail_floats to gateway_app;

create table vault_keys (
  name text not null,
  master_key_id text not null,
  wrapped_key bytea not null,
  ciphertext bytea not null,
  constraint vault_keys_pkey PRIMARY KEY (name),
  constraint vault_keys_name_check CHECK (((name = 'fingerprint'::text) OR (name ~~ 'statement/%'::text)))
);
comment on table vault_keys is 'The key of the keyed hash, and the private keys of statements, sealed under the master key. They stay the same when the master key changes.';
grant insert, select, update on vault_keys to gateway_app;

create table vault_records (
  merchant_id text not null,
  token text not null,
  master_key_id text not null,
  wrapped_key bytea not null,
  ciphertext bytea not null,
  created_at timestamp with time zone not null,
  destroy_at timestamp with time zone,
  constraint vault_records_pkey PRIMARY KEY (merchant_id, token)
) with (autovacuum_analyze_threshold=200000, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_vacuum_insert_threshold=200000, autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_threshold=100000);
CREATE INDEX vault_records_by_key_range ON public.vault_records USING brin (master_key_id) WITH (pages_per_range='32', autosummarize='on');
CREATE INDEX vault_records_to_destroy ON public.vault_records USING btree (destroy_at) WHERE (destroy_at IS NOT NULL);
comment on table vault_records is 'Sealed secrets, one row per payout or card attempt: AES-256-GCM, each under its own data key.';
comment on column vault_records.master_key_id is 'The master key that encrypts wrapped_key.';
comment on column vault_records.wrapped_key is 'The data key of ciphertext, encrypted with the master key.';
comment on column vault_records.destroy_at is 'The gateway deletes the row after this time. A card attempt sets the time at its start and deletes the row at its end. For payouts, vault_expiries has the time.';
grant delete, insert, select, update on vault_records to gateway_app;

create table vault_expiries (
  merchant_id text not null,
  destroy_at timestamp with time zone not null,
  token text not null,
  constraint vault_expiries_pkey PRIMARY KEY (merchant_id, destroy_at, token)
);
comment on table vault_expiries is 'When the gateway deletes the vault records of final payouts. A separate table, so that the sealed record is not rewritten.';
grant delete, insert, select on vault_expiries to gateway_app;

create table retired_master_keys (
  master_key_id text not null,
  retired_at timestamp with time zone not null,
  constraint retired_master_keys_pkey PRIMARY KEY (master_key_id)
);
comment on table retired_master_keys is 'Master keys that a rotation replaces. Production seals nothing under them, whatever the order of GATEWAY_MASTER_KEY.';
comment on column retired_master_keys.retired_at is 'When the first rotation away from the key began.';
grant delete, insert, select on retired_master_keys to gateway_app;

create table reconciliations (
  rail text not null,
  day text not null,
  run_at timestamp with time zone not null,
  listed integer not null,
  matched integer not null,
  settled integer not null,
  constraint reconciliations_pkey PRIMARY KEY (rail, day)
);
comment on table reconciliations is 'The latest comparison of each day of each rail.';
comment on column reconciliations.day is 'The provider''s day.';
comment on column reconciliations.listed is 'Payouts on the provider''s list.';
comment on column reconciliations.matched is 'Payouts that agree with the ledger.';
comment on column reconciliations.settled is 'Pending payouts whose outcome came from the list.';
grant insert, select, update on reconciliations to gateway_app;

create table differences (
  rail text not null,
  day text not null,
  kind text not null,
  subject text not null,
  merchant_id text,
  payout_id text,
  ours text not null,
  theirs text not null,
  found_at timestamp with time zone not null,
  resolved_at timestamp with time zone,
  resolved_by text,
  resolution text,
  transaction_id bigint,
  source text,
  constraint differences_pkey PRIMARY KEY (rail, day, kind, subject),
  constraint differences_kind_check CHECK ((kind = ANY (ARRAY['missing_here'::text, 'missing_there'::text, 'amount'::text, 'state'::text, 'duplicate'::text, 'unreadable'::text, 'excess'::text, 'refund_amount'::text, 'reversal_amount'::text, 'contradiction'::text, 'payout_amount'::text, 'unknown_reference'::text, 'unconfirmed'::text, 'transfer_amount'::text, 'transfer_unreadable'::text]))),
  constraint differences_source_check CHECK ((source = ANY (ARRAY['notified'::text, 'asked'::text]))),
  constraint resolved_whole CHECK ((((resolved_at IS NULL) = (resolved_by IS NULL)) AND ((resolved_at IS NULL) = (resolution IS NULL))))
);
comment on table differences is 'Disagreements between a provider and the ledger. An operator resolves each; the gateway resolves those that no longer exist.';
comment on column differences.day is 'The provider''s day of a comparison. For a single report, its day in UTC.';
comment on column differences.subject is 'The gateway''s reference, or the provider''s id if there is none.';
comment on column differences.payout_id is 'The payout. Null: none.';
comment on column differences.ours is 'The value in the ledger.';
comment on column differences.theirs is 'The value at the provider.';
comment on column differences.resolved_by is 'The operator, or the gateway.';
comment on column differences.transaction_id is 'The deposit. Null: none.';
comment on column differences.source is 'notified, asked: a notification, or the response to a query about one payout. No later list resolves it. Null: a list, or another report.';
grant insert, select, update on differences to gateway_app;

create table recoveries (
  started_at timestamp with time zone not null,
  known_until timestamp with time zone not null,
  started_by text not null,
  reason text not null,
  completed_at timestamp with time zone,
  completed_by text,
  constraint recoveries_pkey PRIMARY KEY (started_at),
  constraint recoveries_completed_whole CHECK (((completed_at IS NULL) = (completed_by IS NULL))),
  constraint recoveries_in_order CHECK ((known_until <= started_at))
);
CREATE UNIQUE INDEX recoveries_open ON public.recoveries USING btree (((completed_at IS NULL))) WHERE (completed_at IS NULL);
comment on table recoveries is 'Each restore from a backup that an operator declared with "gateway after-restore". At most one is open.';
comment on column recoveries.known_until is 'The latest time in the restored database. Events between then and started_at may be lost.';
grant insert, select, update on recoveries to gateway_app;

create table database_lineages (
  lineage text not null,
  known_at timestamp with time zone not null,
  known_by text not null,
  reason text not null,
  constraint database_lineages_pkey PRIMARY KEY (lineage)
);
comment on table database_lineages is 'The known lineages: each server and history of its log on which the database lost no commit, or is recovering. On any other lineage, workers send no payout.';
comment on column database_lineages.lineage is 'PostgreSQL''s system identifier and the timeline of its log: a restore from an archive, a promoted standby and a dump each begin a new one.';
comment on column database_lineages.known_by is 'The worker that found its last commits on it, or the operator.';
grant insert, select on database_lineages to gateway_app;

create table recovery_rails (
  started_at timestamp with time zone not null,
  rail text not null,
  compared_at timestamp with time zone,
  completed_at timestamp with time zone,
  completed_by text,
  forced_because text,
  asks_until timestamp with time zone,
  constraint recovery_rails_pkey PRIMARY KEY (started_at, rail),
  constraint recovery_rails_completed_whole CHECK (((completed_at IS NULL) = (completed_by IS NULL))),
  constraint recovery_rails_started_at_fkey FOREIGN KEY (started_at) REFERENCES recoveries(started_at)
);
comment on table recovery_rails is 'The progress of each rail in a recovery. A rail without a row has not begun.';
comment on column recovery_rails.compared_at is 'When the provider''s lists of all days in doubt were compared. Null: not yet, or the provider has no lists.';
comment on column recovery_rails.forced_because is 'Why the operator completed the rail before its criteria were met.';
comment on column recovery_rails.asks_until is 'Until then, the worker queries each payout before its first transmission, although the rail is completed. Null: it does not.';
grant insert, select, update on recovery_rails to gateway_app;

create table unaccounted_payouts (
  rail text not null,
  reference text not null,
  day text not null,
  found_at timestamp with time zone not null,
  source text,
  constraint unaccounted_payouts_pkey PRIMARY KEY (rail, reference),
  constraint unaccounted_payouts_source_check CHECK ((source = ANY (ARRAY['notified'::text, 'asked'::text])))
);
CREATE INDEX unaccounted_payouts_notified ON public.unaccounted_payouts USING btree (rail) WHERE (source = 'notified'::text);
comment on table unaccounted_payouts is 'Directory: references on a provider''s list that belong to no known payout. The worker queries a payout with such a reference before it sends the payout.';
comment on column unaccounted_payouts.day is 'The provider''s day of the list.';
comment on column unaccounted_payouts.source is 'notified, asked: a notification, or the response to a query about one payout. Null: a list.';
grant delete, insert, select, update on unaccounted_payouts to gateway_app;

create table api_tokens (
  token_id text not null,
  secret_hash bytea not null,
  name text not null,
  merchant_id text,
  scopes text[] not null,
  created_by text not null default ''::text,
  shown_to text not null default ''::text,
  parent_id text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  constraint api_tokens_pkey PRIMARY KEY (token_id),
  constraint api_tokens_not_of_operator CHECK (((merchant_id <> 'operator'::text) OR (revoked_at IS NOT NULL))),
  constraint api_tokens_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES api_tokens(token_id)
);
CREATE INDEX api_tokens_in_time ON public.api_tokens USING btree (created_at);
CREATE INDEX api_tokens_of_merchant ON public.api_tokens USING btree (merchant_id, created_at);
CREATE INDEX api_tokens_of_parent ON public.api_tokens USING btree (parent_id);
comment on table api_tokens is 'Credentials of programs for the management API.';
comment on column api_tokens.secret_hash is 'SHA-256 of the secret part of the token. The token is never stored.';
comment on column api_tokens.merchant_id is 'The merchant whose objects the token may use. Null: a token of the operator.';
comment on column api_tokens.scopes is 'The permissions of the token.';
comment on column api_tokens.created_by is 'The user who created the token and is responsible for its proposals. The token loses each permission that this user loses. Empty: the command line.';
comment on column api_tokens.shown_to is 'The second person, who approved the creation and saw the secret. Empty: only the creator saw it.';
comment on column api_tokens.parent_id is 'The token that created it. It expires no later, and is revoked with it. Null: none.';
comment on column api_tokens.last_used_at is 'Written at most once an hour. Null: not yet.';
grant insert, select, update on api_tokens to gateway_app;

create table audit_entries (
  merchant_id text not null,
  number bigint not null,
  at timestamp with time zone not null,
  act_id text not null,
  phase text not null,
  act text not null,
  object text not null,
  actor_kind text not null,
  actor_id text not null,
  actor_name text not null,
  address text,
  request_id text not null,
  reason text,
  detail text not null,
  hash bytea not null,
  written_by xid8 not null default pg_current_xact_id(),
  constraint audit_entries_pkey PRIMARY KEY (merchant_id, number),
  constraint audit_entries_number_check CHECK ((number > 0)),
  constraint audit_entries_phase_check CHECK ((phase = ANY (ARRAY['begun'::text, 'done'::text, 'rejected'::text, 'failed'::text])))
);
CREATE INDEX audit_entries_by_act ON public.audit_entries USING btree (act, at, merchant_id, number);
CREATE INDEX audit_entries_by_actor ON public.audit_entries USING btree (actor_id, at, merchant_id, number);
CREATE INDEX audit_entries_by_object ON public.audit_entries USING btree (object, at, merchant_id, number);
CREATE INDEX audit_entries_in_commit_order ON public.audit_entries USING btree (written_by);
CREATE INDEX audit_entries_in_time ON public.audit_entries USING btree (at, merchant_id, number);
CREATE INDEX audit_entries_of_joined ON public.audit_entries USING btree (merchant_id, actor_name) WHERE (act = 'link'::text);
CREATE INDEX audit_entries_of_merchant ON public.audit_entries USING btree (merchant_id, at, number);
comment on table audit_entries is 'Append-only. Two entries for every action of a user or a program: one at its start, one at its end.';
comment on column audit_entries.merchant_id is 'The merchant that the action concerns, or the operator. Each has a separate chain.';
comment on column audit_entries.number is 'The position in the chain, from 1 without gaps.';
comment on column audit_entries.act_id is 'The id of the action, the same in its two entries.';
comment on column audit_entries.act is 'The name of the endpoint.';
comment on column audit_entries.detail is 'JSON without secrets: the request, the change or the problem.';
comment on column audit_entries.hash is 'SHA-256 over the previous hash of the chain and all other columns except written_by.';
comment on column audit_entries.written_by is 'The database transaction that wrote the row. Events follow this order, because rows do not become visible in the order of their times.';
grant insert, select on audit_entries to gateway_app;

create table act_answers (
  caller text not null,
  idempotency_key text not null,
  request_hash bytea not null,
  begun_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  status smallint,
  answer text,
  constraint act_answers_pkey PRIMARY KEY (caller, idempotency_key),
  constraint ended_has_a_status CHECK (((ended_at IS NULL) = (status IS NULL)))
);
CREATE INDEX act_answers_in_time ON public.act_answers USING btree (begun_at);
comment on table act_answers is 'The responses of actions by idempotency key, kept for 30 days. A repetition gets the same response.';
comment on column act_answers.caller is 'The kind and the id of the actor.';
comment on column act_answers.request_hash is 'SHA-256 of the endpoint, its parameters and its body.';
comment on column act_answers.answer is 'Null: the response contained a secret, which is not kept, or the action has not ended.';
grant delete, insert, select, update on act_answers to gateway_app;

create table people (
  person_id text not null,
  email text not null,
  name text not null,
  created_at timestamp with time zone not null,
  constraint people_pkey PRIMARY KEY (person_id),
  constraint people_email_key UNIQUE (email)
);
comment on table people is 'Users who may sign in. A user without a membership may do nothing.';
comment on column people.email is 'In lower case. It identifies a user and proves nothing.';
grant insert, select, update on people to gateway_app;

create table memberships (
  person_id text not null,
  merchant_id text,
  role text not null,
  since timestamp with time zone not null,
  constraint memberships_not_of_operator CHECK ((merchant_id <> 'operator'::text)),
  constraint memberships_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(person_id),
  constraint one_role_each UNIQUE NULLS NOT DISTINCT (person_id, merchant_id)
);
CREATE INDEX memberships_of_merchant ON public.memberships USING btree (merchant_id, since);
comment on table memberships is 'The role of a user at a merchant, or at the operator. The gateway reads it at every request, so a change takes effect immediately.';
comment on column memberships.merchant_id is 'Null: the operator.';
comment on column memberships.role is 'An unknown role allows nothing.';
grant delete, insert, select, update on memberships to gateway_app;

create table passkeys (
  credential_id text not null,
  person_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  constraint passkeys_pkey PRIMARY KEY (credential_id),
  constraint passkeys_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(person_id)
);
CREATE INDEX passkeys_of_person ON public.passkeys USING btree (person_id);
comment on table passkeys is 'WebAuthn credentials. The private keys are on the users’ devices.';
comment on column passkeys.credential_id is 'The device''s id of the passkey, in base64url.';
comment on column passkeys.public_key is 'In COSE.';
comment on column passkeys.counter is 'The device’s last signature counter. A lower or equal counter means a copied device, unless the device does not count.';
grant delete, insert, select, update on passkeys to gateway_app;

create table passwords (
  person_id text not null,
  salt bytea not null,
  hash bytea not null,
  totp_seed bytea not null,
  totp_step bigint not null,
  changed_at timestamp with time zone not null,
  constraint passwords_pkey PRIMARY KEY (person_id),
  constraint passwords_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(person_id)
);
comment on table passwords is 'The alternative to passkeys: a password together with a code of an authenticator app.';
comment on column passwords.hash is 'Argon2id of the password: 64 MiB, 3 passes.';
comment on column passwords.totp_seed is 'The app''s secret is the keyed hash of this seed under a key of the vault.';
comment on column passwords.totp_step is 'The last time step whose code was used. A code of this or an earlier step is a replay.';
grant delete, insert, select, update on passwords to gateway_app;

create table recovery_codes (
  person_id text not null,
  code_hash bytea not null,
  used_at timestamp with time zone,
  constraint recovery_codes_pkey PRIMARY KEY (person_id, code_hash),
  constraint recovery_codes_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(person_id)
);
comment on table recovery_codes is 'Single-use codes for users who lost their devices.';
comment on column recovery_codes.code_hash is 'SHA-256. A code has more than 90 bits.';
grant delete, insert, select, update on recovery_codes to gateway_app;

create table openid_identities (
  issuer text not null,
  subject text not null,
  person_id text not null,
  linked_at timestamp with time zone not null,
  constraint openid_identities_pkey PRIMARY KEY (issuer, subject),
  constraint openid_identities_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(person_id)
);
CREATE INDEX openid_identities_of_person ON public.openid_identities USING btree (person_id);
comment on table openid_identities is 'The accounts of users at an OpenID Connect provider, linked at the first sign-in by their verified email address.';
grant delete, insert, select on openid_identities to gateway_app;

create table sessions (
  token_hash bytea not null,
  session_id text not null,
  person_id text not null,
  merchant_id text,
  way text not null,
  address text not null,
  user_agent text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  viewed_merchant_id text,
  constraint sessions_pkey PRIMARY KEY (token_hash),
  constraint sessions_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(person_id),
  constraint sessions_session_id_key UNIQUE (session_id),
  constraint sessions_way_check CHECK ((way = ANY (ARRAY['passkey'::text, 'password'::text, 'openid'::text, 'recovery'::text, 'link'::text])))
);
CREATE INDEX sessions_in_time ON public.sessions USING btree (created_at);
CREATE INDEX sessions_of_person ON public.sessions USING btree (person_id, created_at);
comment on table sessions is 'Sessions of signed-in users.';
comment on column sessions.token_hash is 'SHA-256 of the cookie’s 256-bit token. The token is never stored.';
comment on column sessions.session_id is 'Identifies the session in lists and in the audit log. It is not a credential.';
comment on column sessions.merchant_id is 'The membership that the session acts for. Null: the operator.';
comment on column sessions.way is 'How the user proved their identity. A session opened with a recovery code may only add credentials.';
comment on column sessions.last_used_at is 'Written at most every 30 seconds.';
comment on column sessions.viewed_merchant_id is 'The merchant whose pages a user of the operator views without the right to change anything. Null: none.';
grant delete, insert, select, update on sessions to gateway_app;

create table invitations (
  invitation_id text not null,
  purpose text not null,
  secret_hash bytea,
  email text,
  merchant_id text,
  role text,
  invited_by text not null,
  invited_people text[] not null,
  approved_by text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  accepted_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint invitations_pkey PRIMARY KEY (invitation_id),
  constraint invitations_not_of_operator CHECK (((merchant_id <> 'operator'::text) OR (accepted_at IS NOT NULL) OR (revoked_at IS NOT NULL))),
  constraint invitations_purpose_check CHECK ((purpose = ANY (ARRAY['join'::text, 'reset'::text]))),
  constraint invitations_secret_hash_key UNIQUE (secret_hash),
  constraint joins_have_a_role CHECK (((purpose = 'join'::text) = (role IS NOT NULL))),
  constraint joins_have_a_secret CHECK (((purpose = 'reset'::text) OR (secret_hash IS NOT NULL))),
  constraint resets_need_two_people CHECK (((purpose = 'join'::text) OR (secret_hash IS NULL) OR (approved_by IS NOT NULL))),
  constraint two_people_differ CHECK ((((approved_by IS DISTINCT FROM invited_by) AND (approved_by <> ALL (invited_people))) OR (approved_by ~~ 'emergency:%'::text)))
);
CREATE INDEX invitations_in_time ON public.invitations USING btree (created_at);
CREATE INDEX invitations_of_merchant ON public.invitations USING btree (merchant_id, created_at);
comment on table invitations is 'Single-use links: to join a merchant or the operator, or to replace all credentials of a user.';
comment on column invitations.secret_hash is 'SHA-256 of the link’s secret. Null: a reset that waits for a second administrator.';
comment on column invitations.email is 'Only a user with this address may accept. Null: the first administrator enters their own address.';
comment on column invitations.merchant_id is 'Null: the operator.';
comment on column invitations.invited_by is 'The kind and the id of the actor.';
comment on column invitations.invited_people is 'The users behind that actor. For a token: its creator, and the user who saw its secret.';
comment on column invitations.approved_by is 'For a reset: the second administrator.';
grant insert, select, update on invitations to gateway_app;

create table sign_in_attempts (
  subject text not null,
  failed_at timestamp with time zone[] not null,
  closed_until timestamp with time zone,
  constraint sign_in_attempts_pkey PRIMARY KEY (subject)
);
comment on table sign_in_attempts is 'Failed attempts with secrets that users type, for the lockout. Unknown addresses have rows too, so an attacker cannot tell them apart.';
comment on column sign_in_attempts.subject is 'The sign-in method and the email address.';
comment on column sign_in_attempts.failed_at is 'The failed attempts of the last 15 minutes.';
grant delete, insert, select, update on sign_in_attempts to gateway_app;

create table challenges (
  challenge_id text not null,
  purpose text not null,
  subject text not null,
  bytes bytea not null,
  expires_at timestamp with time zone not null,
  constraint challenges_pkey PRIMARY KEY (challenge_id)
);
CREATE INDEX challenges_in_time ON public.challenges USING btree (expires_at);
comment on table challenges is 'Challenges that a user must answer within minutes. An answer deletes the row, so a challenge works once.';
comment on column challenges.subject is 'The session, user or link that may answer.';
comment on column challenges.bytes is 'The bytes that a passkey signs, the seed of an authenticator app, or the secrets of a sign-in at a provider.';
grant delete, insert, select on challenges to gateway_app;

create table ledger_closings (
  merchant_id text not null,
  closing_until timestamp with time zone not null,
  closed_until timestamp with time zone not null,
  constraint ledger_closings_pkey PRIMARY KEY (merchant_id),
  constraint closed_as_announced CHECK ((closed_until <= closing_until))
) with (fillfactor=50);
comment on table ledger_closings is 'How far each merchant''s ledger is closed. A merchant without a row has no closed hour.';
comment on column ledger_closings.closing_until is 'Announced before the hours close. Every later posting gets at least this time.';
comment on column ledger_closings.closed_until is 'Snapshots and volumes cover all postings before it. -infinity: none yet.';
grant insert, select, update on ledger_closings to gateway_app;

create table ledger_snapshots (
  merchant_id text not null,
  currency text not null,
  account text not null,
  at timestamp with time zone not null,
  balance bigint not null,
  constraint ledger_snapshots_pkey PRIMARY KEY (merchant_id, currency, account, at)
);
comment on table ledger_snapshots is 'Append-only. The balance of an account at the end of each closed hour in which it changed.';
comment on column ledger_snapshots.at is 'The end of the hour. The balance contains all postings before it.';
comment on column ledger_snapshots.balance is 'Minor units.';
grant insert, select on ledger_snapshots to gateway_app;

create table payment_volumes (
  merchant_id text not null,
  hour timestamp with time zone not null,
  flow text not null,
  method text not null,
  rail text not null,
  currency text not null,
  state text not null,
  payments bigint not null,
  amount numeric not null,
  fee numeric not null,
  waits bigint[] not null,
  constraint payment_volumes_pkey PRIMARY KEY (merchant_id, hour, flow, method, rail, currency, state),
  constraint payment_volumes_flow_check CHECK ((flow = ANY (ARRAY['payout'::text, 'return'::text, 'refund'::text, 'deposit'::text]))),
  constraint payment_volumes_payments_check CHECK ((payments > 0))
);
CREATE INDEX payment_volumes_in_time ON public.payment_volumes USING btree (hour);
comment on table payment_volumes is 'Append-only. The payments of each closed hour, counted by what the ledger posted.';
comment on column payment_volumes.hour is 'The beginning of the hour.';
comment on column payment_volumes.method is 'The number of the payout method, or the payment type of a deposit. Empty: none.';
comment on column payment_volumes.rail is 'The rail that ended the payment. Empty: the payout was only accepted.';
comment on column payment_volumes.state is 'For payouts accepted, success, blocked, reversed, executed_late; for deposits success, held, displaced, taken_back, given_again.';
comment on column payment_volumes.amount is 'Minor units, without fees of payouts and before fees of deposits.';
comment on column payment_volumes.fee is 'Minor units that the gateway earned, or reserved for accepted payouts.';
comment on column payment_volumes.waits is 'Counts of payments by the time from acceptance to result: at most 1 s, 5 s, 15 s, 1 min, 5 min, 15 min, 1 h, 4 h, 1 d, and longer. Empty: no result.';
grant insert, select on payment_volumes to gateway_app;

create table statement_keys (
  key_id text not null,
  public_key text not null,
  created_at timestamp with time zone not null,
  constraint statement_keys_pkey PRIMARY KEY (key_id),
  constraint statement_keys_public_key_key UNIQUE (public_key)
);
comment on table statement_keys is 'Append-only. The public keys of all statements ever signed. The newest signs; its private key is in vault_keys.';
comment on column statement_keys.public_key is 'The Ed25519 public key, 32 bytes in base64url.';
grant insert, select on statement_keys to gateway_app;

create table processes (
  process_id text not null,
  role text not null,
  version text not null,
  host text not null,
  rails text[] not null,
  sending_rails jsonb not null,
  started_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  master_key_ids text[],
  constraint processes_pkey PRIMARY KEY (process_id)
);
comment on table processes is 'Every few seconds each process that serves writes its row, and deletes it when it stops. An old row belongs to a process that has died.';
comment on column processes.role is 'all, api, worker or manage.';
comment on column processes.rails is 'Every rail whose variables the process has, including those for payments only.';
comment on column processes.sending_rails is 'The rails that send payouts, returns or refunds, with what they carry. No address and no credential.';
comment on column processes.seen_at is 'When the process last wrote the row.';
comment on column processes.master_key_ids is 'The ids of the master keys that the process started with. Null: it reads keys from a file and notices new ones, or an older version wrote the row.';
grant delete, insert, select, update on processes to gateway_app;

create table policies (
  team text not null,
  place smallint not null,
  act text not null,
  currency text,
  above bigint,
  merchant_id text,
  constraint policies_pkey PRIMARY KEY (team, place),
  constraint amounts_have_a_currency CHECK (((above IS NULL) OR (currency IS NOT NULL))),
  constraint policies_above_check CHECK ((above >= 0))
);
comment on table policies is 'Rules about actions that wait for a second person.';
comment on column policies.team is 'The team whose users and programs the rule binds: a merchant, or the operator.';
comment on column policies.act is 'The name of the endpoint.';
comment on column policies.currency is 'The rule binds actions that move this currency. Null: all actions.';
comment on column policies.above is 'Minor units. Null: any amount.';
comment on column policies.merchant_id is 'The merchant that the action concerns. Null: any.';
grant delete, insert, select on policies to gateway_app;

create table proposals (
  proposal_id text not null,
  team text not null,
  act text not null,
  object text not null,
  content text not null,
  hash bytea not null,
  reason text,
  maker_kind text not null,
  maker_id text not null,
  maker_name text not null,
  maker_person text not null,
  maker_mailbox text not null,
  maker_credentials text[] not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint proposals_pkey PRIMARY KEY (proposal_id),
  constraint hash_is_of_the_content CHECK ((hash = sha256(convert_to(content, 'UTF8'::name)))),
  constraint proposals_as_ends_name_them UNIQUE (proposal_id, maker_kind, maker_id, maker_person, maker_mailbox, expires_at),
  constraint proposals_maker_kind_check CHECK ((maker_kind = ANY (ARRAY['person'::text, 'token'::text])))
);
CREATE INDEX proposals_about ON public.proposals USING btree (team, object);
CREATE INDEX proposals_of_maker ON public.proposals USING btree (maker_id, created_at, proposal_id);
CREATE INDEX proposals_of_team ON public.proposals USING btree (team, created_at, proposal_id);
comment on table proposals is 'Append-only. Actions proposed to a second person. A proposal without a row in proposal_ends is open until it expires.';
comment on column proposals.content is 'Canonical JSON: the exact action and its dry run.';
comment on column proposals.hash is 'SHA-256 of the content. The second person signs it.';
comment on column proposals.maker_person is 'The user who proposed it, or created the token that proposed it. Empty: a token of the command line.';
comment on column proposals.maker_mailbox is 'The email address of that user, without the parts that mail servers ignore.';
comment on column proposals.maker_credentials is 'The passkeys of that user at that time.';
grant insert, select on proposals to gateway_app;

create table proposal_ends (
  proposal_id text not null,
  kind text not null,
  ended_at timestamp with time zone not null,
  maker_kind text not null,
  maker_id text not null,
  maker_person text not null,
  maker_mailbox text not null,
  expires_at timestamp with time zone not null,
  actor_kind text not null,
  actor_id text not null,
  actor_name text not null,
  person text not null,
  mailbox text not null,
  signature text,
  act_id text,
  detail text not null,
  constraint proposal_ends_pkey PRIMARY KEY (proposal_id),
  constraint checker_signs CHECK (((kind = 'withdrawn'::text) OR (signature IS NOT NULL))),
  constraint ends_before_it_expires CHECK ((ended_at < expires_at)),
  constraint executed_is_an_act CHECK (((kind = 'executed'::text) = (act_id IS NOT NULL))),
  constraint maker_is_not_checker CHECK (((kind = 'withdrawn'::text) OR ((actor_kind = 'person'::text) AND (person = actor_id) AND (person <> maker_person) AND (mailbox <> maker_mailbox)))),
  constraint maker_withdraws CHECK (((kind <> 'withdrawn'::text) OR ((actor_kind = maker_kind) AND (actor_id = maker_id)))),
  constraint proposal_ends_act_id_key UNIQUE (act_id),
  constraint proposal_ends_kind_check CHECK ((kind = ANY (ARRAY['executed'::text, 'void'::text, 'rejected'::text, 'withdrawn'::text]))),
  constraint proposal_ends_proposal_id_maker_kind_maker_id_maker_person_fkey FOREIGN KEY (proposal_id, maker_kind, maker_id, maker_person, maker_mailbox, expires_at) REFERENCES proposals(proposal_id, maker_kind, maker_id, maker_person, maker_mailbox, expires_at)
);
comment on table proposal_ends is 'Append-only. The end of each proposal. An execution commits together with the action.';
comment on column proposal_ends.kind is 'void: a second person approved it, but the action was no longer possible or would have had another effect.';
comment on column proposal_ends.maker_person is 'Copied from the proposal, so that constraints of this row compare maker and checker.';
comment on column proposal_ends.signature is 'JSON: the passkey’s signature over the hash, or the time step of the code.';
comment on column proposal_ends.act_id is 'The action in the audit log.';
comment on column proposal_ends.detail is 'Why it was rejected, or why it is void.';
grant insert, select on proposal_ends to gateway_app;

create table payout_batches (
  merchant_id text not null,
  batch_id text not null,
  name text not null,
  state text not null,
  rows integer not null,
  totals jsonb not null default '[]'::jsonb,
  created_at timestamp with time zone not null,
  created_by text not null,
  submitted_at timestamp with time zone,
  submitter jsonb,
  ended_at timestamp with time zone,
  fence bigint not null default 0,
  lease_until timestamp with time zone not null,
  constraint payout_batches_pkey PRIMARY KEY (merchant_id, batch_id),
  constraint payout_batches_rows_check CHECK (((rows >= 1) AND (rows <= 10000))),
  constraint payout_batches_state_check CHECK ((state = ANY (ARRAY['checking'::text, 'ready'::text, 'submitted'::text, 'finished'::text, 'cancelled'::text]))),
  constraint submitted_by_somebody CHECK (((submitted_at IS NULL) = (submitter IS NULL))),
  constraint work_needs_a_submission CHECK (((state <> ALL (ARRAY['submitted'::text, 'finished'::text])) OR (submitted_at IS NOT NULL)))
);
CREATE INDEX payout_batches_due ON public.payout_batches USING btree (lease_until) WHERE (state = ANY (ARRAY['checking'::text, 'submitted'::text]));
CREATE INDEX payout_batches_in_time ON public.payout_batches USING btree (merchant_id, created_at, batch_id);
comment on table payout_batches is 'Files of payouts. A worker checks the rows of a draft, and accepts those of a submitted batch.';
comment on column payout_batches.totals is 'Per currency: ready rows, amounts, fees and the balance after them, as of the check.';
comment on column payout_batches.submitter is 'The submitter, the user behind it, and the team whose rules bind it. Not null once submitted.';
comment on column payout_batches.fence is 'Grows with each claim. A worker writes only under the fence of its claim.';
comment on column payout_batches.lease_until is 'Until then, one worker holds the batch. Infinity: no work is left.';
grant insert, select, update on payout_batches to gateway_app;

create table payout_batch_rows (
  merchant_id text not null,
  batch_id text not null,
  row integer not null,
  line integer not null,
  state text not null,
  payout_id text,
  method smallint,
  currency text,
  amount bigint,
  fee bigint,
  rail text,
  account_shown text,
  content_hash bytea,
  available_after bigint,
  faults jsonb not null default '[]'::jsonb,
  warning text,
  vault_token text,
  constraint payout_batch_rows_pkey PRIMARY KEY (merchant_id, batch_id, "row"),
  constraint open_rows_have_their_content CHECK (((state <> ALL (ARRAY['unchecked'::text, 'ready'::text, 'accepting'::text])) OR (vault_token IS NOT NULL))),
  constraint payout_batch_rows_state_check CHECK ((state = ANY (ARRAY['unchecked'::text, 'ready'::text, 'faulty'::text, 'accepting'::text, 'accepted'::text, 'rejected'::text, 'cancelled'::text])))
);
CREATE INDEX payout_batch_rows_by_state ON public.payout_batch_rows USING btree (merchant_id, batch_id, state, "row");
CREATE INDEX payout_batch_rows_of_payout ON public.payout_batch_rows USING btree (merchant_id, payout_id) WHERE (state = 'accepted'::text);
comment on table payout_batch_rows is 'The rows of batches, with the result of the check. The content of a row is sealed in vault_records until the row ends.';
comment on column payout_batch_rows.line is 'The line of the file on which the row begins.';
comment on column payout_batch_rows.payout_id is 'The id in the file, or one made from the batch and the row. Null: unchecked, or no valid id.';
comment on column payout_batch_rows.account_shown is 'The beneficiary''s account, masked if it is a card.';
comment on column payout_batch_rows.content_hash is 'Keyed hash of the content, as in payouts.';
comment on column payout_batch_rows.available_after is 'Minor units. The available balance after this row, as of the check.';
comment on column payout_batch_rows.faults is 'Fields, and codes with their values. No value repeats the file''s content.';
comment on column payout_batch_rows.warning is 'A code with its values, as JSON.';
comment on column payout_batch_rows.vault_token is 'The sealed row. Null: it was destroyed at the end of the row.';
grant insert, select, update on payout_batch_rows to gateway_app;

create table payout_batch_history (
  merchant_id text not null,
  batch_id text not null,
  entry smallint not null,
  at timestamp with time zone not null,
  event text not null,
  from_state text,
  to_state text not null,
  actor text not null,
  detail text not null default ''::text,
  written_by xid8 not null default pg_current_xact_id(),
  constraint payout_batch_history_pkey PRIMARY KEY (merchant_id, batch_id, entry)
);
CREATE INDEX payout_batch_history_in_commit_order ON public.payout_batch_history USING btree (written_by);
comment on table payout_batch_history is 'Append-only. The history of each batch, from which its events are read.';
comment on column payout_batch_history.written_by is 'The database transaction that wrote the row, as in payout_history.';
grant insert, select on payout_batch_history to gateway_app;

create table logged_requests (
  merchant_id text not null,
  request_id text not null,
  received_at timestamp with time zone not null,
  endpoint text not null,
  outcome text not null,
  reason text not null,
  description text not null,
  method text not null,
  http_status smallint not null,
  client_address text not null,
  duration_ms integer not null,
  subject_id text,
  headers jsonb not null,
  request bytea not null,
  request_bytes integer not null,
  reply bytea not null,
  vault_token text,
  constraint logged_requests_pkey PRIMARY KEY (merchant_id, request_id),
  constraint accepted_has_no_reason CHECK (((outcome = 'accepted'::text) = (reason = ''::text))),
  constraint logged_requests_endpoint_check CHECK ((endpoint = ANY (ARRAY['payout_send'::text, 'payout_status'::text, 'balance'::text, 'list'::text, 'host2host'::text, 'form'::text]))),
  constraint logged_requests_outcome_check CHECK ((outcome = ANY (ARRAY['accepted'::text, 'rejected'::text, 'unproven'::text])))
) with (autovacuum_analyze_threshold=10000, autovacuum_vacuum_scale_factor=0.1);
CREATE INDEX logged_requests_in_time ON public.logged_requests USING btree (merchant_id, received_at, request_id);
CREATE INDEX logged_requests_newest ON public.logged_requests USING btree (received_at, request_id);
CREATE INDEX logged_requests_of_outcome ON public.logged_requests USING btree (merchant_id, outcome, received_at);
comment on table logged_requests is 'A bounded number of requests per merchant and outcome, for a bounded time. Card numbers and secrets in them are overwritten.';
comment on column logged_requests.outcome is 'unproven: rejected before the gateway knew the sender, so a stranger may have sent it in the merchant''s name.';
comment on column logged_requests.reason is 'The kind of the rejection; empty for an accepted request.';
comment on column logged_requests.description is 'The text of the response to a rejected request.';
comment on column logged_requests.subject_id is 'The payout_id or order in the request.';
comment on column logged_requests.headers is 'Those of a closed list of names.';
comment on column logged_requests.request is 'The first 16 KiB of the body, or of the query of a GET.';
comment on column logged_requests.request_bytes is 'The length of the whole request, in bytes.';
comment on column logged_requests.reply is 'The first 4 KiB of the response. Empty for pages, balances and lists.';
comment on column logged_requests.vault_token is 'The sealed exact bytes of a request with a wrong signature, which the signature doctor reads. The vault destroys them with the entry.';
grant delete, insert, select on logged_requests to gateway_app;

create table payout_approvals (
  merchant_id text not null,
  payout_id text not null,
  maker_people text[] not null,
  maker_mailbox text not null,
  person text not null,
  mailbox text not null,
  constraint payout_approvals_pkey PRIMARY KEY (merchant_id, payout_id),
  constraint payout_approvals_merchant_id_payout_id_maker_people_maker__fkey FOREIGN KEY (merchant_id, payout_id, maker_people, maker_mailbox) REFERENCES payout_makers(merchant_id, payout_id, people, mailbox),
  constraint payout_maker_is_not_checker CHECK (((person <> ALL (maker_people)) AND ((mailbox = ''::text) OR (mailbox <> maker_mailbox))))
);
comment on table payout_approvals is 'Append-only. The approval of each payout that waited for one.';
comment on column payout_approvals.maker_people is 'Copied from payout_makers. Empty: the merchant''s server signed the payout, or the maker is unknown.';
comment on column payout_approvals.person is 'The user who approved it. Empty: somebody with a shell on the server.';
comment on column payout_approvals.mailbox is 'The email address of that user, without the parts that mail servers ignore. Empty: unknown.';
grant insert, select on payout_approvals to gateway_app;

create table audit_heads (
  merchant_id text not null,
  number bigint not null,
  hash bytea not null,
  constraint audit_heads_pkey PRIMARY KEY (merchant_id),
  constraint audit_heads_number_check CHECK ((number > 0))
);
comment on table audit_heads is 'The newest entry of each audit chain, written in the transaction of the entry. If a chain ends at another entry, somebody deleted or inserted entries.';
comment on column audit_heads.merchant_id is 'The chain: a merchant, or the operator.';
comment on column audit_heads.number is 'The number of the newest entry.';
comment on column audit_heads.hash is 'The hash of the newest entry.';
grant insert, select, update on audit_heads to gateway_app;

create table backup_proofs (
  proof_id text not null,
  backup text not null,
  backup_taken_at timestamp with time zone not null,
  started_at timestamp with time zone not null,
  recovered_until timestamp with time zone,
  lost_ms bigint,
  restored_in_ms bigint,
  finished_at timestamp with time zone not null,
  invariants integer not null,
  broken text[] not null,
  accounts integer not null,
  differing text[] not null,
  failure text,
  constraint backup_proofs_pkey PRIMARY KEY (proof_id)
);
CREATE INDEX backup_proofs_in_time ON public.backup_proofs USING btree (started_at);
comment on table backup_proofs is 'Append-only. Each restore of a backup into a scratch server, with the findings of its checks.';
comment on column backup_proofs.backup is 'The name of the base backup.';
comment on column backup_proofs.recovered_until is 'The time of the newest transaction in the restored database. Null: the restore failed.';
comment on column backup_proofs.lost_ms is 'The age of the newest backed-up transaction when the proof began (RPO).';
comment on column backup_proofs.restored_in_ms is 'From the beginning of the restore until the restored server accepted connections (RTO).';
comment on column backup_proofs.invariants is 'How many invariants were checked.';
comment on column backup_proofs.broken is 'The names of the broken invariants.';
comment on column backup_proofs.accounts is 'How many balances were compared with the serving database.';
comment on column backup_proofs.differing is 'The first accounts whose balances differ.';
comment on column backup_proofs.failure is 'Why no proof was possible. Null: it was.';
grant insert, select on backup_proofs to gateway_app;

create table provider_exchanges (
  rail text not null,
  reference text not null,
  exchange_id text not null,
  call text not null,
  answer text not null,
  at timestamp with time zone not null,
  duration_ms integer not null,
  method text not null,
  path text not null,
  request bytea not null,
  status smallint,
  reply bytea not null,
  failure text not null,
  constraint provider_exchanges_pkey PRIMARY KEY (rail, reference, exchange_id)
) with (autovacuum_analyze_threshold=10000, autovacuum_vacuum_scale_factor=0.1);
CREATE INDEX provider_exchanges_in_time ON public.provider_exchanges USING btree (at);
comment on table provider_exchanges is 'Requests to providers and their responses, for 14 days. Card numbers and secrets in them are overwritten.';
comment on column provider_exchanges.reference is 'The gateway''s reference of the attempt, the refund or the query.';
comment on column provider_exchanges.call is 'The call of the rail, such as send or ask. It may have several exchanges.';
comment on column provider_exchanges.answer is 'How the rail interpreted the whole call.';
comment on column provider_exchanges.request is 'The first 4 KiB of the body.';
comment on column provider_exchanges.status is 'Null: no complete response arrived.';
comment on column provider_exchanges.failure is 'Why no complete response arrived. Empty: one arrived.';
grant delete, insert, select on provider_exchanges to gateway_app;

create table conformance_runs (
  merchant_id text not null,
  recorded_at timestamp with time zone not null,
  address text not null,
  passed integer not null,
  examined integer not null,
  is_passed boolean not null,
  findings jsonb not null,
  constraint conformance_runs_pkey PRIMARY KEY (merchant_id)
);
comment on table conformance_runs is 'The newest recorded run of gateway conform, for each merchant that has one.';
comment on column conformance_runs.address is 'The receiver that was tested.';
comment on column conformance_runs.is_passed is 'True if no check failed and every required check ran.';
comment on column conformance_runs.findings is 'The checks that did not pass, each with name, state and finding.';
grant insert, select, update on conformance_runs to gateway_app;

create table receipt_emails (
  merchant_id text not null,
  transaction_id bigint not null,
  email text not null,
  language text not null,
  is_signed boolean not null,
  look_at timestamp with time zone not null,
  tries smallint not null,
  time_zone text not null default ''::text,
  constraint receipt_emails_pkey PRIMARY KEY (merchant_id, transaction_id)
);
CREATE INDEX receipt_emails_due ON public.receipt_emails USING btree (look_at);
comment on table receipt_emails is 'Where the receipt of an open payment goes. The worker deletes the row before it sends, or when the payment fails.';
comment on column receipt_emails.transaction_id is 'The deposit.';
comment on column receipt_emails.email is 'The address that the payer gave, in the link or on the page.';
comment on column receipt_emails.language is 'The language of the payer''s page.';
comment on column receipt_emails.is_signed is 'Whether the merchant signed the link. Only then does the message show the order.';
comment on column receipt_emails.look_at is 'When the worker checks the payment next.';
comment on column receipt_emails.tries is 'Attempts that the mail server did not accept.';
comment on column receipt_emails.time_zone is 'The IANA name of the time zone of the payer''s browser. Empty: the browser stated none.';
grant delete, insert, select, update on receipt_emails to gateway_app;

create table payment_wallets (
  merchant_id text not null,
  transaction_id bigint not null,
  attempt smallint not null,
  wallet text not null,
  token_hash bytea not null,
  constraint payment_wallets_pkey PRIMARY KEY (merchant_id, transaction_id, attempt),
  constraint payment_wallets_merchant_id_token_hash_key UNIQUE (merchant_id, token_hash),
  constraint payment_wallets_wallet_check CHECK ((wallet = ANY (ARRAY['apple_pay'::text, 'google_pay'::text])))
);
comment on table payment_wallets is 'The wallet of an attempt with a wallet. The gateway never stores the token.';
comment on column payment_wallets.token_hash is 'Keyed hash of the encrypted part of the token. A token pays once.';
grant insert, select on payment_wallets to gateway_app;

create view transfers_in as
 SELECT t.merchant_id,
    t.rail,
    t.transfer_key,
    t.transaction_id,
    t.pay_to,
    t.currency,
    t.amount,
    t.originator,
    t.mismatch,
    t.state,
    t.return_id,
    t.is_return_overtaken,
    t.found_by,
    t.booked_at,
    t.recorded_at,
    t.resolved_at,
    t.resolution,
    t.former_merchants,
        CASE
            WHEN t.state <> 'held'::text THEN t.state
            WHEN r.is_out THEN
            CASE
                WHEN r.is_pending THEN 'returning'::text
                ELSE 'returned'::text
            END
            WHEN k.taken >= t.amount THEN 'taken_back'::text
            ELSE t.state
        END AS status,
    t.amount - k.taken AS kept
   FROM incoming_transfers t
     LEFT JOIN LATERAL ( SELECT p.state = 'pending'::text AS is_pending,
            p.state = 'pending'::text OR (p.state = 'success'::text OR a.kinds @> '{late_execution}'::text[]) AND NOT a.kinds @> '{reversed}'::text[] AS is_out
           FROM payouts p
             CROSS JOIN LATERAL ( SELECT COALESCE(array_agg(j.kind), '{}'::text[]) AS kinds
                   FROM payout_adjustments j
                  WHERE j.merchant_id = p.merchant_id AND j.payout_id = p.payout_id) a
          WHERE p.merchant_id = t.merchant_id AND p.payout_id = t.return_id AND NOT t.is_return_overtaken) r ON true
     CROSS JOIN LATERAL ( SELECT COALESCE(sum(
                CASE
                    WHEN g.kind = ANY (ARRAY['refund_undone'::text, 'chargeback_undone'::text]) THEN - g.amount
                    ELSE g.amount
                END), 0::numeric)::bigint AS taken
           FROM receipt_takings g
          WHERE g.merchant_id = t.merchant_id AND g.rail = t.rail AND g.transfer_key = t.transfer_key AND g.account = 'suspense'::text) k;
comment on view transfers_in is 'incoming_transfers with two more columns, status and kept.';
comment on column transfers_in.status is 'The state, or returning or returned, or taken_back if its provider took all of it while it was held.';
comment on column transfers_in.kept is 'The amount less what its provider took while it was held.';
grant select on transfers_in to gateway_app;

create view refund_payouts as
 SELECT f.merchant_id,
    f.payout_id,
    f.transaction_id,
    f.attempt,
    f.transfer_key,
    p.rail,
    p.currency,
    p.amount,
    p.state,
    p.state = 'pending'::text OR (p.state = 'success'::text OR k.kinds @> '{late_execution}'::text[]) AND NOT k.kinds @> '{reversed}'::text[] AS is_out
   FROM deposit_refunds f
     JOIN payouts p ON p.merchant_id = f.merchant_id AND p.payout_id = f.payout_id
     CROSS JOIN LATERAL ( SELECT COALESCE(array_agg(j.kind), '{}'::text[]) AS kinds
           FROM payout_adjustments j
          WHERE j.merchant_id = p.merchant_id AND j.payout_id = p.payout_id) k;
comment on view refund_payouts is 'Refunds with their payouts.';
comment on column refund_payouts.is_out is 'Whether the refund reached the payer, or still may.';
grant select on refund_payouts to gateway_app;

create view receipt_balances as
 SELECT t.merchant_id,
    t.rail,
    t.transfer_key,
    t.transaction_id,
    t.pay_to,
    t.currency,
    t.amount,
    t.state,
    t.status,
    t.kept,
    t.former_merchants,
    b.taken + e.taken AS taken_back,
    f.refunded,
    f.refunded_late,
    f.has_failed OR t.return_id IS NOT NULL AND (t.status <> ALL (ARRAY['returning'::text, 'returned'::text])) AS has_failed
   FROM transfers_in t
     LEFT JOIN payment_attempts a ON a.merchant_id = t.merchant_id AND a.transaction_id = t.transaction_id AND a.rail = t.rail AND a.reference = t.pay_to AND t.transfer_key =
        CASE a.receipts[1]
            WHEN ''::text THEN a.reference
            ELSE (a.reference || '/'::text) || a.receipts[1]
        END
     CROSS JOIN LATERAL ( SELECT COALESCE(sum(
                CASE
                    WHEN g.kind = ANY (ARRAY['refund_undone'::text, 'chargeback_undone'::text]) THEN - g.amount
                    ELSE g.amount
                END), 0::numeric)::bigint AS taken
           FROM receipt_takings g
          WHERE g.merchant_id = t.merchant_id AND g.rail = t.rail AND g.transfer_key = t.transfer_key) b
     CROSS JOIN LATERAL ( SELECT COALESCE(sum(
                CASE
                    WHEN j.kind = ANY (ARRAY['refund_undone'::text, 'chargeback_undone'::text]) THEN j.by_receipt - j.posted
                    ELSE j.posted - j.by_receipt
                END), 0::numeric)::bigint AS taken
           FROM deposit_adjustments j
          WHERE j.merchant_id = a.merchant_id AND j.transaction_id = a.transaction_id AND j.attempt = a.attempt) e
     CROSS JOIN LATERAL ( SELECT COALESCE(sum(o.amount) FILTER (WHERE o.is_out), 0::numeric)::bigint AS refunded,
            COALESCE(sum(o.amount) FILTER (WHERE o.is_out AND o.state = 'blocked'::text), 0::numeric)::bigint AS refunded_late,
            COALESCE(bool_or(NOT o.is_out), false) AS has_failed
           FROM refund_payouts o
          WHERE o.merchant_id = t.merchant_id AND o.rail = t.rail AND (o.transfer_key = t.transfer_key OR o.transfer_key IS NULL AND o.transaction_id = t.transaction_id AND o.attempt = a.attempt)) f;
comment on view receipt_balances is 'Each receipt at the merchant that has it, with the money that left it since.';
comment on column receipt_balances.taken_back is 'The amount that its provider took.';
comment on column receipt_balances.refunded is 'The amount of this merchant''s refunds that reached the payer, or still may.';
comment on column receipt_balances.refunded_late is 'The part of refunded that a bank executed after it had declined.';
comment on column receipt_balances.has_failed is 'Whether a refund or return of the receipt failed or was reversed.';
grant select on receipt_balances to gateway_app;

create view payout_entries as
 SELECT payouts.merchant_id,
    payouts.payout_id,
    1::smallint AS entry,
    payouts.accepted_at AS at,
    'accepted'::text AS event,
    NULL::text AS from_state,
    'pending'::text AS to_state,
    COALESCE(payouts.accepted_by, 'merchant'::text) AS actor,
    payouts.accepted_why AS detail,
    payouts.written_by
   FROM payouts
  WHERE payouts.accepted_why IS NOT NULL
UNION ALL
 SELECT payout_history.merchant_id,
    payout_history.payout_id,
    payout_history.entry,
    payout_history.at,
    payout_history.event,
    payout_history.from_state,
    payout_history.to_state,
    payout_history.actor,
    payout_history.detail,
    payout_history.written_by
   FROM payout_history;
comment on view payout_entries is 'The whole history of each payout: its acceptance, from the row in payouts, and its rows in payout_history.';
grant select on payout_entries to gateway_app;

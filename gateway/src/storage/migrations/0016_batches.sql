-- Batches: files of payouts that a merchant's users and programs upload, review and submit.

create table payout_batches (
  merchant_id text not null,
  batch_id text not null,
  name text not null,
  state text not null check (state in ('checking', 'ready', 'submitted', 'finished', 'cancelled')),
  rows integer not null check (rows between 1 and 10000),
  totals jsonb not null default '[]',
  created_at timestamptz not null,
  created_by text not null,
  submitted_at timestamptz,
  submitter jsonb,
  ended_at timestamptz,
  fence bigint not null default 0,
  lease_until timestamptz not null,
  primary key (merchant_id, batch_id),
  constraint submitted_by_somebody check ((submitted_at is null) = (submitter is null)),
  constraint work_needs_a_submission check (state not in ('submitted', 'finished') or submitted_at is not null)
);
create index payout_batches_in_time on payout_batches (merchant_id, created_at, batch_id);
create index payout_batches_due on payout_batches (lease_until) where state in ('checking', 'submitted');
comment on table payout_batches is 'Files of payouts. A worker checks the rows of a draft, and accepts those of a submitted batch.';
comment on column payout_batches.totals is 'Per currency: ready rows, amounts, fees and the balance after them, as of the check.';
comment on column payout_batches.submitter is 'The submitter, the user behind it, and the team whose rules bind it. Not null once submitted.';
comment on column payout_batches.fence is 'Grows with each claim. A worker writes only under the fence of its claim.';
comment on column payout_batches.lease_until is 'Until then, one worker holds the batch. Infinity: no work is left.';
grant select, insert, update on payout_batches to gateway_app;

create table payout_batch_rows (
  merchant_id text not null,
  batch_id text not null,
  row integer not null,
  line integer not null,
  state text not null check (state in ('unchecked', 'ready', 'faulty', 'accepting', 'accepted', 'rejected', 'cancelled')),
  payout_id text,
  method smallint,
  currency text,
  amount bigint,
  fee bigint,
  rail text,
  account_shown text,
  content_hash bytea,
  available_after bigint,
  faults jsonb not null default '[]',
  warning text,
  vault_token text,
  primary key (merchant_id, batch_id, row),
  constraint open_rows_have_their_content check (state not in ('unchecked', 'ready', 'accepting') or vault_token is not null)
);
create index payout_batch_rows_by_state on payout_batch_rows (merchant_id, batch_id, state, row);
create index payout_batch_rows_of_payout on payout_batch_rows (merchant_id, payout_id) where state = 'accepted';
comment on table payout_batch_rows is 'The rows of batches, with the result of the check. The content of a row is sealed in vault_records until the row ends.';
comment on column payout_batch_rows.line is 'The line of the file on which the row begins.';
comment on column payout_batch_rows.payout_id is 'The id in the file, or one made from the batch and the row. Null: unchecked, or no valid id.';
comment on column payout_batch_rows.account_shown is 'The beneficiary''s account, masked if it is a card.';
comment on column payout_batch_rows.content_hash is 'Keyed hash of the content, as in payouts.';
comment on column payout_batch_rows.available_after is 'Minor units. The available balance after this row, as of the check.';
comment on column payout_batch_rows.faults is 'Fields, and codes with their values. No value repeats the file''s content.';
comment on column payout_batch_rows.warning is 'A code with its values, as JSON.';
comment on column payout_batch_rows.vault_token is 'The sealed row. Null: it was destroyed at the end of the row.';
grant select, insert, update on payout_batch_rows to gateway_app;

create table payout_batch_history (
  merchant_id text not null,
  batch_id text not null,
  entry smallint not null,
  at timestamptz not null,
  event text not null,
  from_state text,
  to_state text not null,
  actor text not null,
  detail text not null default '',
  written_by xid8 not null default pg_current_xact_id(),
  primary key (merchant_id, batch_id, entry)
);
create index payout_batch_history_in_commit_order on payout_batch_history (written_by);
comment on table payout_batch_history is 'Append-only. The history of each batch, from which its events are read.';
comment on column payout_batch_history.written_by is 'The database transaction that wrote the row, as in payout_history.';
grant select, insert on payout_batch_history to gateway_app;

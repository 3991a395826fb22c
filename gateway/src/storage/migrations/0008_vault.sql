-- The vault: sealed card numbers and other secret fields, and the keys that seal them.

create table vault_keys (
  name text primary key check (name = 'fingerprint' or name like 'statement/%'),
  master_key_id text not null,
  wrapped_key bytea not null,
  ciphertext bytea not null
);
comment on table vault_keys is 'The key of the keyed hash, and the private keys of statements, sealed under the master key. They stay the same when the master key changes.';
grant select, insert, update on vault_keys to gateway_app;

create table vault_records (
  merchant_id text not null,
  token text not null,
  master_key_id text not null,
  wrapped_key bytea not null,
  ciphertext bytea not null,
  created_at timestamptz not null,
  destroy_at timestamptz,
  primary key (merchant_id, token)
) with (
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 100000,
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 200000,
  autovacuum_analyze_threshold = 200000
);
create index vault_records_to_destroy on vault_records (destroy_at) where destroy_at is not null;
-- Only operators query which master keys are in use, so the query does not deserve an index entry per card.
-- For every 32 pages this index holds the lowest and the highest key, which are nearly always the same.
create index vault_records_by_key_range on vault_records
  using brin (master_key_id) with (pages_per_range = 32, autosummarize = on);
comment on table vault_records is 'Sealed secrets, one row per payout or card attempt: AES-256-GCM, each under its own data key.';
comment on column vault_records.master_key_id is 'The master key that encrypts wrapped_key.';
comment on column vault_records.wrapped_key is 'The data key of ciphertext, encrypted with the master key.';
comment on column vault_records.destroy_at is 'The gateway deletes the row after this time. A card attempt sets the time at its start and deletes the row at its end. For payouts, vault_expiries has the time.';
grant select, insert, update, delete on vault_records to gateway_app;

create table vault_expiries (
  merchant_id text not null,
  destroy_at timestamptz not null,
  token text not null,
  primary key (merchant_id, destroy_at, token)
);
comment on table vault_expiries is 'When the gateway deletes the vault records of final payouts. A separate table, so that the sealed record is not rewritten.';
grant select, insert, delete on vault_expiries to gateway_app;

create table retired_master_keys (
  master_key_id text primary key,
  retired_at timestamptz not null
);
comment on table retired_master_keys is 'Master keys that a rotation replaces. Production seals nothing under them, whatever the order of GATEWAY_MASTER_KEY.';
comment on column retired_master_keys.retired_at is 'When the first rotation away from the key began.';
grant select, insert, delete on retired_master_keys to gateway_app;

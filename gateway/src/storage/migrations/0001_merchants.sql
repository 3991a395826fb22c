-- Merchants and their signing keys, and the role that the running gateway acts as.
--
-- Rules for every table of this schema:
-- - merchant_id leads the primary key and every unique constraint of a merchant's table. Citus can then distribute it.
-- - A directory is the exception: a small table that finds the merchant by a reference, a token or a CLABE.
-- - The schema has no triggers. Constraints, and one writer per kind of row, keep the rows consistent.
-- - Hot tables have no foreign keys: each would cost a lookup and a lock per row. `gateway verify` checks them instead.
-- - The gateway's clock writes due times, never now().

-- The administrator of the server may have created the role, so that the owner of the tables needs no right to create roles.
do $$ begin
  if not exists (select from pg_roles where rolname = 'gateway_app') then create role gateway_app nologin; end if;
exception when duplicate_object then null; when unique_violation then null; end $$;
do $$ begin
  if not pg_has_role(current_user, 'gateway_app', 'member') then execute format('grant gateway_app to %I', current_user); end if;
end $$;
grant usage on schema public to gateway_app;
grant select on schema_migrations to gateway_app;

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
comment on table merchants is 'Merchants. The built-in merchant "operator" holds unmatched money.';
comment on column merchants.merchant_id is 'The public identifier, which the operator chooses.';
comment on column merchants.site_url is 'The merchant''s website, as payers see it.';
comment on column merchants.process_url is 'The gateway sends results of deposits here, and results of payouts if payout_callback_url is null.';
comment on column merchants.success_url is 'The hosted form sends the payer here after a payment.';
comment on column merchants.fail_url is 'The hosted form sends the payer here after a failure.';
comment on column merchants.payout_callback_url is 'The gateway sends results of payouts here. Null: it uses process_url.';
comment on column merchants.event_url is 'The gateway sends events after a final state here. Null: it sends none.';
comment on column merchants.settings is 'Setting name to text. merchant-settings.ts lists the settings.';
grant select, insert, update on merchants to gateway_app;

insert into merchants (merchant_id, name, state, created_at) values ('operator', 'The operator', 'suspended', now());

create table merchant_keys (
  merchant_id text not null references merchants,
  key_id text not null,
  master_key_id text not null,
  wrapped_key bytea not null,
  ciphertext bytea not null,
  created_at timestamptz not null,
  retires_at timestamptz,
  first_used_at timestamptz,
  purpose text not null default 'api' check (purpose in ('api', 'form')),
  last_used_at timestamptz,
  primary key (merchant_id, key_id)
);
comment on table merchant_keys is 'Signing keys, sealed by the vault.';
comment on column merchant_keys.master_key_id is 'The master key that encrypts wrapped_key.';
comment on column merchant_keys.wrapped_key is 'The data key of ciphertext, encrypted with the master key.';
comment on column merchant_keys.ciphertext is 'The signing key, encrypted with the data key.';
comment on column merchant_keys.retires_at is 'The key is invalid from then on. Null: the current key of its purpose.';
comment on column merchant_keys.first_used_at is 'When a request first used the key. Null: not yet.';
comment on column merchant_keys.purpose is 'api: signs requests, replies and callbacks. form: signs links to the hosted form, nothing else.';
comment on column merchant_keys.last_used_at is 'When a request last used the key, written at most once an hour, and once a minute after the rotation of the key. Null: not yet.';
grant select, insert, update, delete on merchant_keys to gateway_app;

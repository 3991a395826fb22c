-- Statements: the keys that sign them.

create table statement_keys (
  key_id text primary key,
  public_key text not null unique,
  created_at timestamptz not null
);
comment on table statement_keys is 'Append-only. The public keys of all statements ever signed. The newest signs; its private key is in vault_keys.';
comment on column statement_keys.public_key is 'The Ed25519 public key, 32 bytes in base64url.';
grant select, insert on statement_keys to gateway_app;

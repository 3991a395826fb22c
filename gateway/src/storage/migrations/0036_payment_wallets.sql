-- Attempts by Apple Pay and Google Pay.

create table payment_wallets (
  merchant_id text not null,
  transaction_id bigint not null,
  attempt smallint not null,
  wallet text not null check (wallet in ('apple_pay', 'google_pay')),
  token_hash bytea not null,
  primary key (merchant_id, transaction_id, attempt),
  unique (merchant_id, token_hash)
);
comment on table payment_wallets is 'The wallet of an attempt with a wallet. The gateway never stores the token.';
comment on column payment_wallets.token_hash is 'Keyed hash of the encrypted part of the token. A token pays once.';
grant select, insert on payment_wallets to gateway_app;

-- Every attempt to pay is counted, whatever it is paid by, and not cards alone. What payment_cards counted by stays for the
-- versions before, and is written no more.

create table payment_tries (
  merchant_id text not null,
  transaction_id bigint not null,
  attempt smallint not null,
  target_hash bytea,
  address_hash bytea,
  is_signed boolean not null,
  tried_at timestamptz not null,
  primary key (merchant_id, transaction_id, attempt)
);
create index payment_tries_by_target on payment_tries (merchant_id, target_hash, tried_at) where target_hash is not null;
create index payment_tries_by_address on payment_tries (merchant_id, address_hash, tried_at) where address_hash is not null;
create index payment_tries_unsigned on payment_tries (merchant_id, tried_at) where not is_signed;
comment on table payment_tries is 'By what each attempt to pay is counted. Apart from payment_attempts, which change often: rows here never do, so the indexes stay small.';
comment on column payment_tries.target_hash is 'Keyed hash of whom the attempt contacts: the card''s number, the e-mail address, the CPF; null where it is nobody but the payer.';
comment on column payment_tries.address_hash is 'Keyed hash of the payer''s address (of an IPv6 address: of its network); null where none is known.';
comment on column payment_tries.is_signed is 'Whether the merchant signed the form; attempts on unsigned ones are counted by the merchant as well.';
grant select, insert on payment_tries to gateway_app;

alter table payment_cards alter column fingerprint drop not null, alter column tried_at drop not null;
comment on column payment_cards.fingerprint is 'Of versions that counted cards alone; null since.';
comment on column payment_cards.address_hash is 'Of versions that counted cards alone; null since.';
comment on column payment_cards.tried_at is 'Of versions that counted cards alone; null since.';

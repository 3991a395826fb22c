-- The hosted form: what a merchant asked for, the payer's tries to pay it, and the directories by which a page and a
-- provider's word find them. Led by the merchant like everything else, but for the two directories.

create table form_sessions (
  merchant_id text not null,
  session_id uuid not null,
  token_hash bytea not null,
  order_id text not null,
  currency text not null,
  amount bigint not null check (amount > 0),
  amount_text text not null,
  is_signed boolean not null,
  visitor_hash bytea,
  language text not null check (language in ('en', 'uk', 'kk')),
  payment_type text,
  parameters jsonb not null,
  transaction_id bigint,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (merchant_id, session_id)
);
create index form_sessions_unused on form_sessions (expires_at) where transaction_id is null;
create index form_sessions_used on form_sessions (expires_at) where transaction_id is not null;
comment on table form_sessions is 'One row per opened form. It becomes a deposit when the payer submits. Destroyed in time: it says who the payer is.';
comment on column form_sessions.token_hash is 'Its entry in the directory.';
comment on column form_sessions.payment_type is 'Null: the payer chooses.';
comment on column form_sessions.visitor_hash is 'Of what the payer''s browser is known by; null where it keeps nothing.';
comment on column form_sessions.parameters is 'The other parameters of the request by their wire names.';
comment on column form_sessions.transaction_id is 'The deposit that it has become.';

create table form_tokens (
  token_hash bytea primary key,
  merchant_id text not null,
  session_id uuid not null
);
comment on table form_tokens is 'Directory: whose form the token in an address opens. The token itself is kept nowhere.';

create table payment_attempts (
  merchant_id text not null,
  transaction_id bigint not null,
  attempt smallint not null check (attempt > 0),
  rail text not null,
  payment_type text not null,
  reference text not null,
  provider_reference text not null default '',
  kept text not null default '',
  receipts text[] not null default '{}',
  state text not null check (state in ('starting', 'acting', 'deciding', 'unknown', 'paid', 'refused', 'abandoned')),
  step jsonb,
  is_authorised boolean not null default false,
  refusal text,
  can_retry boolean not null default false,
  detail text not null default '',
  started_at timestamptz not null,
  send_until timestamptz not null,
  ask_at timestamptz,
  asks integer not null default 0,
  finished_at timestamptz,
  primary key (merchant_id, transaction_id, attempt),
  constraint who_acts_has_a_step check ((state = 'acting') = (step is not null)),
  constraint an_end_has_a_time check ((state in ('paid', 'refused', 'abandoned')) = (finished_at is not null)),
  constraint nothing_waits_after_the_end check ((finished_at is null) = (ask_at is not null))
) with (fillfactor = 70);
create index payment_attempts_due on payment_attempts (rail, ask_at) where ask_at is not null;
comment on table payment_attempts is 'Each try of a payer to pay a deposit of the hosted form. Committed before the provider is called.';
comment on column payment_attempts.kept is 'What the rail wants to be given again. Never card data.';
comment on column payment_attempts.receipts is 'What the provider tells its receipts of money apart by.';
comment on column payment_attempts.ask_at is 'When the provider is asked, if it has not told by then.';

create table payment_references (
  rail text not null,
  reference text not null,
  merchant_id text not null,
  transaction_id bigint not null,
  attempt smallint not null,
  primary key (rail, reference)
);
comment on table payment_references is 'Directory: whose attempt a provider''s notification speaks of.';

alter table deposit_orders add column is_signed boolean not null default true, add column visitor_hash bytea;
comment on column deposit_orders.visitor_hash is 'Of the payer''s browser, which may come back to its own payment.';
comment on column deposit_orders.is_signed is 'False: anybody could have made the request, so one that the merchant signed goes before it.';

alter table deposits drop constraint deposits_fail_reason_check,
  add constraint deposits_fail_reason_check check (fail_reason in ('declined', 'cancelled', 'expired', 'displaced'));

alter table incoming_transfers drop constraint incoming_transfers_mismatch_check,
  add constraint incoming_transfers_mismatch_check
    check (mismatch in ('other_currency', 'short', 'over', 'late', 'twice', 'other_payer', 'unmatched'));

create table payment_cards (
  merchant_id text not null,
  transaction_id bigint not null,
  attempt smallint not null,
  mask text not null,
  fingerprint bytea not null,
  address_hash bytea,
  vault_token text not null,
  tried_at timestamptz not null,
  primary key (merchant_id, transaction_id, attempt)
);
create index payment_cards_by_card on payment_cards (merchant_id, fingerprint, tried_at);
create index payment_cards_by_address on payment_cards (merchant_id, address_hash, tried_at) where address_hash is not null;
comment on table payment_cards is 'What stays of the card of a card attempt. Apart from payment_attempts, which change often: rows here never do, so the indexes by which tries are counted stay small.';
comment on column payment_cards.mask is 'First six and last four digits.';
comment on column payment_cards.fingerprint is 'Keyed hash of the number: tries with one card are counted by it.';
comment on column payment_cards.address_hash is 'Keyed hash of the payer''s address (of an IPv6 address: of its network); null where none is known.';
comment on column payment_cards.vault_token is 'Of the number, the expiry and the holder, until the attempt has ended. The CVV is nowhere.';

comment on table vault_records is 'Card numbers and their like, one row per payout or card attempt, AES-256-GCM under a data key of its own.';
comment on column vault_records.destroy_at is 'Past it the row is deleted. Of a payout it is set when that becomes final; of a card attempt from the first, and the attempt''s end deletes the row before.';

create table payer_bank_lists (
  rail text primary key,
  banks jsonb not null,
  listed_at timestamptz not null
);
comment on table payer_bank_lists is 'Directory: the last good list of banks that each rail''s provider gave. No merchant''s.';

grant select, insert on form_tokens, payment_references, payment_cards to gateway_app;
grant select, insert, update on form_sessions, payment_attempts, payer_bank_lists to gateway_app;
grant update, delete on deposit_orders to gateway_app;
grant delete on form_sessions, form_tokens to gateway_app;

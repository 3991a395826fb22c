-- Payments on the hosted form: sessions, attempts of payers, and what happens to their money after the result.

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
  language text not null check (language in ('en', 'uk', 'kk', 'pt-BR', 'es-MX', 'fr', 'de', 'pl')),
  payment_type text,
  parameters jsonb not null,
  transaction_id bigint,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (merchant_id, session_id)
);
create index form_sessions_unused on form_sessions (expires_at) where transaction_id is null;
create index form_sessions_used on form_sessions (expires_at) where transaction_id is not null;
comment on table form_sessions is 'One row per opened form. It becomes a deposit when the payer submits. The gateway deletes it later, since it describes the payer.';
comment on column form_sessions.token_hash is 'Its row in form_tokens.';
comment on column form_sessions.amount is 'Minor units.';
comment on column form_sessions.amount_text is 'The amount as the merchant wrote it.';
comment on column form_sessions.is_signed is 'Whether the merchant signed the link.';
comment on column form_sessions.visitor_hash is 'Hash that identifies the payer''s browser. Null: the browser keeps no cookie.';
comment on column form_sessions.payment_type is 'Null: the payer chooses.';
comment on column form_sessions.parameters is 'The other parameters of the request by their wire names.';
comment on column form_sessions.transaction_id is 'The deposit that it has become. Null: none yet.';
grant select, insert, update, delete on form_sessions to gateway_app;

create table form_tokens (
  token_hash bytea primary key,
  merchant_id text not null,
  session_id uuid not null
);
comment on table form_tokens is 'Directory: finds the session of a token in an address. The gateway does not store the token.';
grant select, insert, delete on form_tokens to gateway_app;

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
  open_returns integer not null default 0,
  primary key (merchant_id, transaction_id, attempt),
  constraint who_acts_has_a_step check ((state = 'acting') = (step is not null)),
  constraint an_end_has_a_time check ((state in ('paid', 'refused', 'abandoned')) = (finished_at is not null)),
  constraint nothing_waits_after_the_end check ((finished_at is null) = (ask_at is not null))
) with (fillfactor = 70);
create index payment_attempts_due on payment_attempts (rail, ask_at) where ask_at is not null;
create index payment_attempts_in_time on payment_attempts (merchant_id, started_at, transaction_id, attempt);
create index payment_attempts_newest on payment_attempts (started_at, transaction_id, attempt);
create index payment_attempts_by_provider on payment_attempts
  using brin (provider_reference text_bloom_ops (n_distinct_per_range = 2000, false_positive_rate = 0.001))
  with (pages_per_range = 128, autosummarize = on);
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
grant select, insert, update on payment_attempts to gateway_app;

create table payment_references (
  rail text not null,
  reference text not null,
  merchant_id text not null,
  transaction_id bigint not null,
  attempt smallint not null,
  primary key (rail, reference)
);
comment on table payment_references is 'Directory: finds the attempt of a provider''s notification by its reference.';
grant select, insert on payment_references to gateway_app;

create table payment_cards (
  merchant_id text not null,
  transaction_id bigint not null,
  attempt smallint not null,
  mask text not null,
  vault_token text not null,
  primary key (merchant_id, transaction_id, attempt)
);
comment on table payment_cards is 'The card of a card attempt.';
comment on column payment_cards.mask is 'The first six and last four digits.';
comment on column payment_cards.vault_token is 'The sealed number, expiry and holder, until the attempt ends. The gateway never stores the CVV.';
grant select, insert on payment_cards to gateway_app;

create table counted_attempts (
  merchant_id text not null,
  transaction_id bigint not null,
  attempt smallint not null,
  target_hash bytea,
  address_hash bytea,
  is_signed boolean not null,
  attempted_at timestamptz not null,
  primary key (merchant_id, transaction_id, attempt)
);
create index counted_attempts_by_target on counted_attempts (merchant_id, target_hash, attempted_at) where target_hash is not null;
create index counted_attempts_by_address on counted_attempts (merchant_id, address_hash, attempted_at) where address_hash is not null;
create index counted_attempts_unsigned on counted_attempts (merchant_id, attempted_at) where not is_signed;
comment on table counted_attempts is 'The attempt limits count these rows. They never change, unlike payment_attempts, so their indexes stay small.';
comment on column counted_attempts.target_hash is 'Keyed hash of the card number, email address or CPF that the attempt contacts. Null: it contacts only the payer.';
comment on column counted_attempts.address_hash is 'Keyed hash of the payer''s network address, for IPv6 of its network. Null: unknown.';
comment on column counted_attempts.is_signed is 'Whether the merchant signed the form. Attempts on unsigned forms count per merchant too.';
grant select, insert on counted_attempts to gateway_app;

create table payer_bank_lists (
  rail text primary key,
  banks jsonb not null,
  listed_at timestamptz not null
);
comment on table payer_bank_lists is 'The latest valid bank list of each rail''s provider.';
comment on column payer_bank_lists.banks is 'The banks that a payer can choose.';
grant select, insert, update on payer_bank_lists to gateway_app;

create table deposit_adjustments (
  merchant_id text not null,
  transaction_id bigint not null,
  attempt smallint not null,
  kind text not null check (kind in ('refunded', 'refund_undone', 'charged_back', 'chargeback_undone', 'debited')),
  key text not null,
  currency text not null,
  amount bigint not null check (amount > 0),
  posted bigint not null check (posted >= 0 and posted <= amount),
  at timestamptz not null,
  detail text not null default '',
  by_receipt bigint not null default 0 check (by_receipt >= 0),
  receipt_key text,
  primary key (merchant_id, transaction_id, attempt, kind, key)
);
create index deposit_adjustments_short on deposit_adjustments (merchant_id, transaction_id) where posted < amount;
comment on table deposit_adjustments is 'Refunds, chargebacks and debits that a provider reported after the result, each once. The gateway''s own refunds are payouts.';
comment on column deposit_adjustments.attempt is 'The payment that it adjusts.';
comment on column deposit_adjustments.key is 'The provider''s key of the adjustment. Its reversal has the same key.';
comment on column deposit_adjustments.amount is 'The provider''s amount in minor units, or the rest of the payment if the provider stated none.';
comment on column deposit_adjustments.posted is 'The part that the ledger posted, at most the rest of the payment. The operator resolves the remainder.';
comment on column deposit_adjustments.by_receipt is 'The part of posted that receipt_takings lists by receipt.';
comment on column deposit_adjustments.receipt_key is 'The receipt that the provider identified. Null: none, or the payment can have only one.';
grant select, insert, update (posted, by_receipt) on deposit_adjustments to gateway_app;

create table receipt_takings (
  merchant_id text not null,
  transaction_id bigint not null,
  attempt smallint not null,
  kind text not null check (kind in ('refunded', 'refund_undone', 'charged_back', 'chargeback_undone', 'debited')),
  key text not null,
  part text not null check (part in ('first', 'rest')),
  transfer_key text not null,
  rail text not null,
  account text not null check (account in ('available', 'suspense')),
  amount bigint not null check (amount > 0),
  at timestamptz not null,
  primary key (merchant_id, transaction_id, attempt, kind, key, part, transfer_key)
);
create index receipt_takings_of_receipt on receipt_takings (merchant_id, rail, transfer_key);
comment on table receipt_takings is 'Append-only. How much each deposit adjustment took from a receipt, or restored to it.';
comment on column receipt_takings.merchant_id is 'The merchant that has the receipt. The payment may belong to another merchant.';
comment on column receipt_takings.transaction_id is 'With attempt, kind and key: the deposit adjustment.';
comment on column receipt_takings.part is 'first: with the provider''s report. rest: later, after a refund or return failed.';
comment on column receipt_takings.transfer_key is 'With rail: the receipt, a row of incoming_transfers.';
comment on column receipt_takings.account is 'suspense: the receipt was held. available: it was credited.';
comment on column receipt_takings.amount is 'Minor units, in the currency of the receipt.';
grant select, insert on receipt_takings to gateway_app;

create table deposit_refunds (
  merchant_id text not null,
  payout_id text not null,
  transaction_id bigint not null,
  attempt smallint not null,
  reason text not null,
  transfer_key text,
  act text,
  primary key (merchant_id, payout_id),
  unique (merchant_id, act)
);
create index deposit_refunds_of_deposit on deposit_refunds (merchant_id, transaction_id);
create index deposit_refunds_of_receipt on deposit_refunds (merchant_id, transfer_key);
comment on table deposit_refunds is 'The payment that each refund returns, in whole or in part. A refund is also a payout of the gateway.';
comment on column deposit_refunds.transaction_id is 'The deposit that the receipt was credited to.';
comment on column deposit_refunds.attempt is 'The payment: an attempt of this deposit, or of the receipt''s first deposit if the operator moved the receipt.';
comment on column deposit_refunds.transfer_key is 'The receipt that the refund returns.';
comment on column deposit_refunds.act is 'The action of the management API that ordered the refund; a repeated request finds it here. Null: the command line ordered it.';
grant select, insert on deposit_refunds to gateway_app;

-- A failed return leaves the money held, and a reversed one holds it again. So the status follows from the payout.
create view transfers_in as
select t.*, case
    when t.state <> 'held' then t.state
    when r.is_out then case when r.is_pending then 'returning' else 'returned' end
    when k.taken >= t.amount then 'taken_back'
    else t.state end as status,
  t.amount - k.taken as kept
from incoming_transfers as t
left join lateral (
  select p.state = 'pending' as is_pending,
    p.state = 'pending' or ((p.state = 'success' or a.kinds @> '{late_execution}') and not a.kinds @> '{reversed}') as is_out
  from payouts as p
  cross join lateral (
    select coalesce(array_agg(j.kind), '{}') as kinds from payout_adjustments as j
    where j.merchant_id = p.merchant_id and j.payout_id = p.payout_id) as a
  where p.merchant_id = t.merchant_id and p.payout_id = t.return_id and not t.is_return_overtaken) as r on true
cross join lateral (
  select coalesce(sum(case when g.kind in ('refund_undone', 'chargeback_undone') then -g.amount else g.amount end), 0)::bigint as taken
  from receipt_takings as g
  where g.merchant_id = t.merchant_id and g.rail = t.rail and g.transfer_key = t.transfer_key and g.account = 'suspense') as k;
comment on view transfers_in is 'incoming_transfers with two more columns, status and kept.';
comment on column transfers_in.status is 'The state, or returning or returned, or taken_back if its provider took all of it while it was held.';
comment on column transfers_in.kept is 'The amount less what its provider took while it was held.';
grant select on transfers_in to gateway_app;

create view refund_payouts as
select f.merchant_id, f.payout_id, f.transaction_id, f.attempt, f.transfer_key, p.rail, p.currency, p.amount, p.state,
  p.state = 'pending' or ((p.state = 'success' or k.kinds @> '{late_execution}') and not k.kinds @> '{reversed}') as is_out
from deposit_refunds as f
join payouts as p on p.merchant_id = f.merchant_id and p.payout_id = f.payout_id
cross join lateral (
  select coalesce(array_agg(j.kind), '{}') as kinds from payout_adjustments as j
  where j.merchant_id = p.merchant_id and j.payout_id = p.payout_id) as k;
comment on view refund_payouts is 'Refunds with their payouts.';
comment on column refund_payouts.is_out is 'Whether the refund reached the payer, or still may.';
grant select on refund_payouts to gateway_app;

create view receipt_balances as
select t.merchant_id, t.rail, t.transfer_key, t.transaction_id, t.pay_to, t.currency, t.amount, t.state, t.status, t.kept, t.former_merchants,
  b.taken + e.taken as taken_back, f.refunded, f.refunded_late,
  f.has_failed or (t.return_id is not null and t.status not in ('returning', 'returned')) as has_failed
from transfers_in as t
left join payment_attempts as a
  on a.merchant_id = t.merchant_id and a.transaction_id = t.transaction_id and a.rail = t.rail and a.reference = t.pay_to
    and t.transfer_key = case a.receipts[1] when '' then a.reference else a.reference || '/' || a.receipts[1] end
cross join lateral (
  select coalesce(sum(case when g.kind in ('refund_undone', 'chargeback_undone') then -g.amount else g.amount end), 0)::bigint as taken
  from receipt_takings as g
  where g.merchant_id = t.merchant_id and g.rail = t.rail and g.transfer_key = t.transfer_key) as b
cross join lateral (
  select coalesce(sum(case when j.kind in ('refund_undone', 'chargeback_undone') then j.by_receipt - j.posted else j.posted - j.by_receipt end), 0)::bigint as taken
  from deposit_adjustments as j
  where j.merchant_id = a.merchant_id and j.transaction_id = a.transaction_id and j.attempt = a.attempt) as e
cross join lateral (
  select coalesce(sum(o.amount) filter (where o.is_out), 0)::bigint as refunded,
    coalesce(sum(o.amount) filter (where o.is_out and o.state = 'blocked'), 0)::bigint as refunded_late,
    coalesce(bool_or(not o.is_out), false) as has_failed
  from refund_payouts as o
  where o.merchant_id = t.merchant_id and o.rail = t.rail
    and (o.transfer_key = t.transfer_key or (o.transfer_key is null and o.transaction_id = t.transaction_id and o.attempt = a.attempt))) as f;
comment on view receipt_balances is 'Each receipt at the merchant that has it, with the money that left it since.';
comment on column receipt_balances.taken_back is 'The amount that its provider took.';
comment on column receipt_balances.refunded is 'The amount of this merchant''s refunds that reached the payer, or still may.';
comment on column receipt_balances.refunded_late is 'The part of refunded that a bank executed after it had declined.';
comment on column receipt_balances.has_failed is 'Whether a refund or return of the receipt failed or was reversed.';
grant select on receipt_balances to gateway_app;

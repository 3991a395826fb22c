-- People and programs that manage the gateway, and the log of their acts.

create table api_tokens (
  token_id text primary key,
  secret_hash bytea not null,
  name text not null,
  merchant_id text,
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  last_used_at timestamptz
);
create index api_tokens_in_time on api_tokens (created_at);
comment on table api_tokens is 'Credentials of programs for the management API.';
comment on column api_tokens.secret_hash is 'SHA-256 of the secret part of the token. The token itself is never stored.';
comment on column api_tokens.merchant_id is 'The merchant whose objects the token may use. Null: a token of the operator.';
comment on column api_tokens.scopes is 'The permissions of the token.';
comment on column api_tokens.last_used_at is 'Written at most once an hour. Null: not yet.';
grant select, insert, update on api_tokens to gateway_app;

create table audit_entries (
  merchant_id text not null,
  number bigint not null check (number > 0),
  at timestamptz not null,
  act_id text not null,
  phase text not null check (phase in ('begun', 'done', 'refused', 'failed')),
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
  primary key (merchant_id, number)
);
create index audit_entries_in_time on audit_entries (at, merchant_id, number);
create index audit_entries_of_merchant on audit_entries (merchant_id, at, number);
create index audit_entries_by_object on audit_entries (object, at, merchant_id, number);
create index audit_entries_by_act on audit_entries (act, at, merchant_id, number);
comment on table audit_entries is 'Append-only: the application may not update or delete. Every act of a person or a program, at its begin and at its end.';
comment on column audit_entries.merchant_id is 'The merchant that the act concerns, or the operator. Each has its own chain.';
comment on column audit_entries.number is 'The place in the chain, from 1 without gaps.';
comment on column audit_entries.act_id is 'The two entries of an act share it.';
comment on column audit_entries.act is 'The name of the endpoint.';
comment on column audit_entries.detail is 'JSON without secrets: the request, the change or the problem.';
comment on column audit_entries.hash is 'SHA-256 over the previous hash of the chain and all other columns.';
grant select, insert on audit_entries to gateway_app;

create table act_answers (
  caller text not null,
  idempotency_key text not null,
  request_hash bytea not null,
  begun_at timestamptz not null,
  ended_at timestamptz,
  status smallint,
  answer text,
  primary key (caller, idempotency_key),
  constraint ended_has_a_status check ((ended_at is null) = (status is null))
);
create index act_answers_in_time on act_answers (begun_at);
comment on table act_answers is 'The answers of acts by idempotency key, kept for 30 days. A repetition gets the same answer.';
comment on column act_answers.caller is 'The kind and the id of the actor.';
comment on column act_answers.request_hash is 'SHA-256 of the endpoint, its parameters and its body.';
comment on column act_answers.answer is 'Null: the answer had a secret, which is not kept, or the act has not ended.';
grant select, insert, update, delete on act_answers to gateway_app;

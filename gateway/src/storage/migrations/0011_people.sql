-- People and programs that manage the gateway, and the log of their actions.

create table api_tokens (
  token_id text primary key,
  secret_hash bytea not null,
  name text not null,
  merchant_id text,
  scopes text[] not null,
  created_by text not null default '',
  shown_to text not null default '',
  parent_id text references api_tokens,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  last_used_at timestamptz
);
create index api_tokens_in_time on api_tokens (created_at);
create index api_tokens_of_merchant on api_tokens (merchant_id, created_at);
create index api_tokens_of_parent on api_tokens (parent_id);
comment on table api_tokens is 'Credentials of programs for the management API.';
comment on column api_tokens.secret_hash is 'SHA-256 of the secret part of the token. The token is never stored.';
comment on column api_tokens.merchant_id is 'The merchant whose objects the token may use. Null: a token of the operator.';
comment on column api_tokens.scopes is 'The permissions of the token.';
comment on column api_tokens.created_by is 'The user who created the token and is responsible for its proposals. The token loses each permission that this user loses. Empty: the command line.';
comment on column api_tokens.shown_to is 'The second person, who approved the creation and saw the secret. Empty: only the creator saw it.';
comment on column api_tokens.parent_id is 'The token that created it. It expires no later, and is revoked with it. Null: none.';
comment on column api_tokens.last_used_at is 'Written at most once an hour. Null: not yet.';
grant select, insert, update on api_tokens to gateway_app;

create table audit_entries (
  merchant_id text not null,
  number bigint not null check (number > 0),
  at timestamptz not null,
  act_id text not null,
  phase text not null check (phase in ('begun', 'done', 'rejected', 'failed')),
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
  primary key (merchant_id, number)
);
create index audit_entries_in_commit_order on audit_entries (written_by);
create index audit_entries_in_time on audit_entries (at, merchant_id, number);
create index audit_entries_of_merchant on audit_entries (merchant_id, at, number);
create index audit_entries_by_object on audit_entries (object, at, merchant_id, number);
create index audit_entries_by_act on audit_entries (act, at, merchant_id, number);
comment on table audit_entries is 'Append-only. Two entries for every action of a user or a program: one at its start, one at its end.';
comment on column audit_entries.written_by is 'The database transaction that wrote the row. Events follow this order, because rows do not become visible in the order of their times.';
comment on column audit_entries.merchant_id is 'The merchant that the action concerns, or the operator. Each has a separate chain.';
comment on column audit_entries.number is 'The position in the chain, from 1 without gaps.';
comment on column audit_entries.act_id is 'The id of the action, the same in its two entries.';
comment on column audit_entries.act is 'The name of the endpoint.';
comment on column audit_entries.detail is 'JSON without secrets: the request, the change or the problem.';
comment on column audit_entries.hash is 'SHA-256 over the previous hash of the chain and all other columns except written_by.';
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
comment on table act_answers is 'The responses of actions by idempotency key, kept for 30 days. A repetition gets the same response.';
comment on column act_answers.caller is 'The kind and the id of the actor.';
comment on column act_answers.request_hash is 'SHA-256 of the endpoint, its parameters and its body.';
comment on column act_answers.answer is 'Null: the response contained a secret, which is not kept, or the action has not ended.';
grant select, insert, update, delete on act_answers to gateway_app;

create table people (
  person_id text primary key,
  email text not null unique,
  name text not null,
  created_at timestamptz not null
);
comment on table people is 'Users who may sign in. A user without a membership may do nothing.';
comment on column people.email is 'In lower case. It identifies a user and proves nothing.';
grant select, insert, update on people to gateway_app;

create table memberships (
  person_id text not null references people,
  merchant_id text,
  role text not null,
  since timestamptz not null,
  constraint one_role_each unique nulls not distinct (person_id, merchant_id)
);
create index memberships_of_merchant on memberships (merchant_id, since);
comment on table memberships is 'The role of a user at a merchant, or at the operator. The gateway reads it at every request, so a change takes effect immediately.';
comment on column memberships.merchant_id is 'Null: the operator.';
comment on column memberships.role is 'An unknown role allows nothing.';
grant select, insert, update, delete on memberships to gateway_app;

create table passkeys (
  credential_id text primary key,
  person_id text not null references people,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_of_person on passkeys (person_id);
comment on table passkeys is 'WebAuthn credentials. The private keys are on the users’ devices.';
comment on column passkeys.credential_id is 'The device''s id of the passkey, in base64url.';
comment on column passkeys.public_key is 'In COSE.';
comment on column passkeys.counter is 'The device’s last signature counter. A lower or equal counter means a copied device, unless the device does not count.';
grant select, insert, update, delete on passkeys to gateway_app;

create table passwords (
  person_id text primary key references people,
  salt bytea not null,
  hash bytea not null,
  totp_seed bytea not null,
  totp_step bigint not null,
  changed_at timestamptz not null
);
comment on table passwords is 'The alternative to passkeys: a password together with a code of an authenticator app.';
comment on column passwords.hash is 'Argon2id of the password: 64 MiB, 3 passes.';
comment on column passwords.totp_seed is 'The app''s secret is the keyed hash of this seed under a key of the vault.';
comment on column passwords.totp_step is 'The last time step whose code was used. A code of this or an earlier step is a replay.';
grant select, insert, update, delete on passwords to gateway_app;

create table recovery_codes (
  person_id text not null references people,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (person_id, code_hash)
);
comment on table recovery_codes is 'Single-use codes for users who lost their devices.';
comment on column recovery_codes.code_hash is 'SHA-256. A code has more than 90 bits.';
grant select, insert, update, delete on recovery_codes to gateway_app;

create table openid_identities (
  issuer text not null,
  subject text not null,
  person_id text not null references people,
  linked_at timestamptz not null,
  primary key (issuer, subject)
);
create index openid_identities_of_person on openid_identities (person_id);
comment on table openid_identities is 'The accounts of users at an OpenID Connect provider, linked at the first sign-in by their verified email address.';
grant select, insert, delete on openid_identities to gateway_app;

create table sessions (
  token_hash bytea primary key,
  session_id text not null unique,
  person_id text not null references people,
  merchant_id text,
  way text not null check (way in ('passkey', 'password', 'openid', 'recovery', 'link')),
  address text not null,
  user_agent text not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  ended_at timestamptz
);
create index sessions_of_person on sessions (person_id, created_at);
create index sessions_in_time on sessions (created_at);
comment on table sessions is 'Sessions of signed-in users.';
comment on column sessions.token_hash is 'SHA-256 of the cookie’s 256-bit token. The token is never stored.';
comment on column sessions.session_id is 'Identifies the session in lists and in the audit log. It is not a credential.';
comment on column sessions.merchant_id is 'The membership that the session acts for. Null: the operator.';
comment on column sessions.way is 'How the user proved their identity. A session opened with a recovery code may only add credentials.';
comment on column sessions.last_used_at is 'Written at most every 30 seconds.';
grant select, insert, update, delete on sessions to gateway_app;

create table invitations (
  invitation_id text primary key,
  purpose text not null check (purpose in ('join', 'reset')),
  secret_hash bytea unique,
  email text,
  merchant_id text,
  role text,
  invited_by text not null,
  invited_people text[] not null,
  approved_by text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  constraint joins_have_a_role check ((purpose = 'join') = (role is not null)),
  constraint joins_have_a_secret check (purpose = 'reset' or secret_hash is not null),
  constraint resets_need_two_people check (purpose = 'join' or secret_hash is null or approved_by is not null),
  constraint two_people_differ check (
    (approved_by is distinct from invited_by and approved_by <> all (invited_people)) or approved_by like 'emergency:%')
);
create index invitations_of_merchant on invitations (merchant_id, created_at);
create index invitations_in_time on invitations (created_at);
comment on table invitations is 'Single-use links: to join a merchant or the operator, or to replace all credentials of a user.';
comment on column invitations.secret_hash is 'SHA-256 of the link’s secret. Null: a reset that waits for a second administrator.';
comment on column invitations.email is 'Only a user with this address may accept. Null: the first administrator enters their own address.';
comment on column invitations.merchant_id is 'Null: the operator.';
comment on column invitations.invited_by is 'The kind and the id of the actor.';
comment on column invitations.invited_people is 'The users behind that actor. For a token: its creator, and the user who saw its secret.';
comment on column invitations.approved_by is 'For a reset: the second administrator.';
grant select, insert, update on invitations to gateway_app;

create table sign_in_attempts (
  subject text primary key,
  failed_at timestamptz[] not null,
  closed_until timestamptz
);
comment on table sign_in_attempts is 'Failed attempts with secrets that users type, for the lockout. Unknown addresses have rows too, so an attacker cannot tell them apart.';
comment on column sign_in_attempts.subject is 'The sign-in method and the email address.';
comment on column sign_in_attempts.failed_at is 'The failed attempts of the last 15 minutes.';
grant select, insert, update, delete on sign_in_attempts to gateway_app;

create table challenges (
  challenge_id text primary key,
  purpose text not null,
  subject text not null,
  bytes bytea not null,
  expires_at timestamptz not null
);
create index challenges_in_time on challenges (expires_at);
comment on table challenges is 'Challenges that a user must answer within minutes. An answer deletes the row, so a challenge works once.';
comment on column challenges.subject is 'The session, user or link that may answer.';
comment on column challenges.bytes is 'The bytes that a passkey signs, the seed of an authenticator app, or the secrets of a sign-in at a provider.';
grant select, insert, delete on challenges to gateway_app;

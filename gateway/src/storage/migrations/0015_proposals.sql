-- Policies and proposals: which actions need a second person, and the actions that wait for one.

create table policies (
  team text not null,
  place smallint not null,
  act text not null,
  currency text,
  above bigint check (above >= 0),
  merchant_id text,
  primary key (team, place),
  constraint amounts_have_a_currency check (above is null or currency is not null)
);
comment on table policies is 'Rules about actions that wait for a second person.';
comment on column policies.team is 'The team whose users and programs the rule binds: a merchant, or the operator.';
comment on column policies.act is 'The name of the endpoint.';
comment on column policies.currency is 'The rule binds actions that move this currency. Null: all actions.';
comment on column policies.above is 'Minor units. Null: any amount.';
comment on column policies.merchant_id is 'The merchant that the action concerns. Null: any.';
grant select, insert, delete on policies to gateway_app;

create table proposals (
  proposal_id text primary key,
  team text not null,
  act text not null,
  object text not null,
  content text not null,
  hash bytea not null,
  reason text,
  maker_kind text not null check (maker_kind in ('person', 'token')),
  maker_id text not null,
  maker_name text not null,
  maker_person text not null,
  maker_mailbox text not null,
  maker_credentials text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint hash_is_of_the_content check (hash = sha256(convert_to(content, 'UTF8'))),
  constraint proposals_as_ends_name_them unique (proposal_id, maker_kind, maker_id, maker_person, maker_mailbox, expires_at)
);
create index proposals_of_team on proposals (team, created_at, proposal_id);
create index proposals_about on proposals (team, object);
comment on table proposals is 'Append-only. Actions proposed to a second person. A proposal without a row in proposal_ends is open until it expires.';
comment on column proposals.content is 'Canonical JSON: the exact action and its dry run.';
comment on column proposals.hash is 'SHA-256 of the content. The second person signs it.';
comment on column proposals.maker_person is 'The user who proposed it, or created the token that proposed it. Empty: a token of the command line.';
comment on column proposals.maker_mailbox is 'The email address of that user, without the parts that mail servers ignore.';
comment on column proposals.maker_credentials is 'The passkeys of that user at that time.';
grant select, insert on proposals to gateway_app;

create table proposal_ends (
  proposal_id text primary key,
  kind text not null check (kind in ('executed', 'void', 'rejected', 'withdrawn')),
  ended_at timestamptz not null,
  maker_kind text not null,
  maker_id text not null,
  maker_person text not null,
  maker_mailbox text not null,
  expires_at timestamptz not null,
  actor_kind text not null,
  actor_id text not null,
  actor_name text not null,
  person text not null,
  mailbox text not null,
  signature text,
  act_id text unique,
  detail text not null,
  foreign key (proposal_id, maker_kind, maker_id, maker_person, maker_mailbox, expires_at)
    references proposals (proposal_id, maker_kind, maker_id, maker_person, maker_mailbox, expires_at),
  constraint ends_before_it_expires check (ended_at < expires_at),
  constraint maker_withdraws check (kind <> 'withdrawn' or (actor_kind, actor_id) = (maker_kind, maker_id)),
  constraint maker_is_not_checker check (
    kind = 'withdrawn' or (actor_kind = 'person' and person = actor_id and person <> maker_person and mailbox <> maker_mailbox)),
  constraint checker_signs check (kind = 'withdrawn' or signature is not null),
  constraint executed_is_an_act check ((kind = 'executed') = (act_id is not null))
);
comment on table proposal_ends is 'Append-only. The end of each proposal. An execution commits together with the action.';
comment on column proposal_ends.kind is 'void: a second person approved it, but the action was no longer possible or would have had another effect.';
comment on column proposal_ends.maker_person is 'Copied from the proposal, so that constraints of this row compare maker and checker.';
comment on column proposal_ends.signature is 'JSON: the passkey’s signature over the hash, or the time step of the code.';
comment on column proposal_ends.act_id is 'The action in the audit log.';
comment on column proposal_ends.detail is 'Why it was rejected, or why it is void.';
grant select, insert on proposal_ends to gateway_app;

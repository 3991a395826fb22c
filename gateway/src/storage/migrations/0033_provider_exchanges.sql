-- Requests to providers about payments, with their responses: the unusual calls, and a sample of the others.

create table provider_exchanges (
  rail text not null,
  reference text not null,
  exchange_id text not null,
  call text not null,
  answer text not null,
  at timestamptz not null,
  duration_ms integer not null,
  method text not null,
  path text not null,
  request bytea not null,
  status smallint,
  reply bytea not null,
  failure text not null,
  primary key (rail, reference, exchange_id)
) with (autovacuum_vacuum_scale_factor = 0.1, autovacuum_analyze_threshold = 10000);
create index provider_exchanges_in_time on provider_exchanges (at);
comment on table provider_exchanges is 'Requests to providers and their responses, for 14 days. Card numbers and secrets in them are overwritten.';
comment on column provider_exchanges.reference is 'The gateway''s reference of the attempt, the refund or the query.';
comment on column provider_exchanges.call is 'The call of the rail, such as send or ask. It may have several exchanges.';
comment on column provider_exchanges.answer is 'How the rail interpreted the whole call.';
comment on column provider_exchanges.request is 'The first 4 KiB of the body.';
comment on column provider_exchanges.status is 'Null: no complete response arrived.';
comment on column provider_exchanges.failure is 'Why no complete response arrived. Empty: one arrived.';
grant select, insert, delete on provider_exchanges to gateway_app;

-- The newest conformance run of each merchant's receiver.

create table conformance_runs (
  merchant_id text primary key,
  recorded_at timestamptz not null,
  address text not null,
  passed int not null,
  examined int not null,
  is_passed boolean not null,
  findings jsonb not null
);
comment on table conformance_runs is 'The newest recorded run of gateway conform, for each merchant that has one.';
comment on column conformance_runs.address is 'The receiver that was played to.';
comment on column conformance_runs.is_passed is 'No check failed, and every required one was examined.';
comment on column conformance_runs.findings is 'The checks that did not pass: name, state, and what was found.';
grant select, insert, update on conformance_runs to gateway_app;

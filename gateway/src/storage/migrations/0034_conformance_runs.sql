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
comment on column conformance_runs.address is 'The receiver that was tested.';
comment on column conformance_runs.is_passed is 'True if no check failed and every required check ran.';
comment on column conformance_runs.findings is 'The checks that did not pass, each with name, state and finding.';
grant select, insert, update on conformance_runs to gateway_app;

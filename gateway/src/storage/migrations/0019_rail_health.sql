-- How the rails do, as the workers and the providers tell, for whoever looks from another process.
create table rail_health (
  rail text not null,
  process text not null,
  breaker text not null,
  under_way integer not null,
  told_at timestamptz not null,
  primary key (rail, process)
);
comment on table rail_health is 'What each worker tells of each of its rails, every few seconds; a row that is older is of a process that has ended.';

create table rail_floats (
  rail text not null,
  currency text not null,
  amount bigint,
  read_at timestamptz,
  low_mark bigint check (low_mark > 0),
  primary key (rail, currency)
);
comment on table rail_floats is 'Our money at each provider that pays out of what lies there, as of the latest look.';
comment on column rail_floats.low_mark is 'Below it somebody is told; set by the operator.';

grant select, insert, update, delete on rail_health, rail_floats to gateway_app;

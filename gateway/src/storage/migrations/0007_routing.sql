-- Routing: the operator's settings for rails and methods, and the health of the rails.

create table pauses (
  scope text not null check (scope in ('merchant', 'method', 'purpose', 'rail')),
  target text not null,
  since timestamptz not null,
  reason text not null,
  primary key (scope, target)
);
comment on table pauses is 'Targets that an operator has paused. Accepted payouts wait.';
comment on column pauses.target is 'The merchant, the number of the method, the purpose, or the rail.';
grant select, insert, update, delete on pauses to gateway_app;

create table routes (
  method smallint not null,
  merchant_id text not null,
  rail text not null,
  rank smallint not null check (rank > 0),
  weight integer check (weight > 0),
  min_amount bigint check (min_amount > 0),
  max_amount bigint check (max_amount > 0),
  cost_fixed bigint not null check (cost_fixed >= 0),
  cost_percent bigint not null check (cost_percent >= 0),
  primary key (method, merchant_id, rail)
);
comment on table routes is 'The rails that the payouts of a method may take. Without routes a method takes every configured rail that carries it.';
comment on column routes.merchant_id is 'Empty: for every merchant without routes for the method.';
comment on column routes.rank is 'The lowest rank comes first.';
comment on column routes.weight is 'The share among the routes of the same rank. Null: the cheapest comes first.';
comment on column routes.min_amount is 'Minor units. Null: no limit.';
comment on column routes.max_amount is 'Minor units. Null: no limit.';
comment on column routes.cost_fixed is 'Minor units for each payout.';
comment on column routes.cost_percent is 'Millionths of the amount.';
grant select, insert, update, delete on routes to gateway_app;

create table rail_hours (
  rail text primary key,
  hours text not null
);
comment on table rail_hours is 'The hours in which a rail accepts payouts. A rail without a row always accepts them.';
grant select, insert, update, delete on rail_hours to gateway_app;

create table rail_health (
  rail text not null,
  process text not null,
  breaker text not null,
  in_flight integer not null,
  reported_at timestamptz not null,
  primary key (rail, process)
);
comment on table rail_health is 'Every few seconds each worker records the state of its rails. An old row belongs to a process that has ended.';
comment on column rail_health.breaker is 'The state of the circuit breaker.';
comment on column rail_health.in_flight is 'Payouts in flight.';
comment on column rail_health.reported_at is 'When the worker wrote the row.';
grant select, insert, update, delete on rail_health to gateway_app;

create table rail_floats (
  rail text not null,
  currency text not null,
  amount bigint,
  read_at timestamptz,
  low_mark bigint check (low_mark > 0),
  primary key (rail, currency)
);
comment on table rail_floats is 'The prefunded balance at each provider.';
comment on column rail_floats.amount is 'Minor units, from the last query. Null: not asked yet.';
comment on column rail_floats.low_mark is 'The operator''s threshold in minor units. The gateway raises an alert below it.';
grant select, insert, update, delete on rail_floats to gateway_app;

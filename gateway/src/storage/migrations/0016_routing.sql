-- What the operator lays down about where payouts go, and what the workers tell of each rail.
create table routes (
  method smallint not null,
  merchant_id text not null,
  rail text not null,
  place smallint not null check (place > 0),
  weight integer check (weight > 0),
  min_amount bigint check (min_amount > 0),
  max_amount bigint check (max_amount > 0),
  cost_fixed bigint not null check (cost_fixed >= 0),
  cost_percent bigint not null check (cost_percent >= 0),
  set_at timestamptz not null,
  primary key (method, merchant_id, rail)
);
comment on table routes is 'Which rails the payouts of a method may take. A method without routes takes every configured rail that carries it.';
comment on column routes.merchant_id is 'Empty: for every merchant without routes of their own for the method.';
comment on column routes.place is 'The lowest comes first.';
comment on column routes.weight is 'Its share among those of its place; null: the cheaper comes first.';
comment on column routes.cost_percent is 'Millionths of the amount.';

create table rail_hours (
  rail text primary key,
  hours text not null,
  set_at timestamptz not null
);
comment on table rail_hours is 'When a rail takes payouts; a rail without hours always does.';

grant select, insert, update, delete on routes, rail_hours to gateway_app;

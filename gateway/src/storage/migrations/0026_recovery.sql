-- After a restore from backup: what the gateway may have forgotten, and what it asks before money leaves.
create table recoveries (
  started_at timestamptz primary key,
  known_until timestamptz not null,
  started_by text not null,
  reason text not null,
  completed_at timestamptz,
  completed_by text,
  constraint recoveries_in_order check (known_until <= started_at),
  constraint recoveries_completed_whole check ((completed_at is null) = (completed_by is null))
);
create unique index recoveries_open on recoveries ((completed_at is null)) where completed_at is null;
comment on table recoveries is 'Each time the database was restored from a backup, as the operator said by "gateway after-restore". At most one is open.';
comment on column recoveries.known_until is 'The latest thing that the restored database knows. What happened from then until started_at may be forgotten.';

create table recovery_rails (
  started_at timestamptz not null references recoveries,
  rail text not null,
  compared_at timestamptz,
  completed_at timestamptz,
  completed_by text,
  forced_because text,
  asks_until timestamptz,
  primary key (started_at, rail),
  constraint recovery_rails_completed_whole check ((completed_at is null) = (completed_by is null))
);
comment on table recovery_rails is 'Where each rail stands in a recovery. A rail without a row is as one that nothing was done for.';
comment on column recovery_rails.compared_at is 'When the provider''s lists of all days in doubt were compared; null: they were not, or there are none.';
comment on column recovery_rails.forced_because is 'Why the operator completed it although its criteria were not met.';
comment on column recovery_rails.asks_until is 'Until then each payout is asked for before its first send, although the rail is completed; null: no longer.';

create table unaccounted_payouts (
  rail text not null,
  reference text not null,
  day text not null,
  found_at timestamptz not null,
  primary key (rail, reference)
);
comment on table unaccounted_payouts is 'Directory: references that a provider has and no payout of ours. A payout that comes to such a reference is asked for before it is sent.';

alter table payout_jobs add column asked_at timestamptz;
comment on column payout_jobs.asked_at is 'When every bank that may have it from a forgotten time said that it has not; null: nobody asked.';

grant select, insert, update on recoveries, recovery_rails to gateway_app;
grant select, insert, update, delete on unaccounted_payouts to gateway_app;

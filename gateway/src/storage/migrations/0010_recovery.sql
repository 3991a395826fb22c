-- After a restore from a backup: what the database may have forgotten, and what the gateway queries before it sends money.

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
comment on table recoveries is 'Each restore from a backup that an operator declared with "gateway after-restore". At most one is open.';
comment on column recoveries.known_until is 'The latest time in the restored database. Events between then and started_at may be lost.';
grant select, insert, update on recoveries to gateway_app;

create table database_lineages (
  lineage text primary key,
  known_at timestamptz not null,
  known_by text not null,
  reason text not null
);
comment on table database_lineages is 'The known lineages: each server and history of its log on which the database lost no commit, or is recovering. On any other lineage, workers send no payout.';
comment on column database_lineages.lineage is 'PostgreSQL''s system identifier and the timeline of its log: a restore from an archive, a promoted standby and a dump each begin a new one.';
comment on column database_lineages.known_by is 'The worker that found its last commits on it, or the operator.';
grant select, insert on database_lineages to gateway_app;

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
comment on table recovery_rails is 'The progress of each rail in a recovery. A rail without a row has not begun.';
comment on column recovery_rails.compared_at is 'When the provider''s lists of all days in doubt were compared. Null: not yet, or the provider has no lists.';
comment on column recovery_rails.forced_because is 'Why the operator completed the rail before its criteria were met.';
comment on column recovery_rails.asks_until is 'Until then, the worker queries each payout before its first transmission, although the rail is completed. Null: it does not.';
grant select, insert, update on recovery_rails to gateway_app;

create table unaccounted_payouts (
  rail text not null,
  reference text not null,
  day text not null,
  found_at timestamptz not null,
  source text check (source in ('notified', 'asked')),
  primary key (rail, reference)
);
create index unaccounted_payouts_notified on unaccounted_payouts (rail) where source = 'notified';
comment on table unaccounted_payouts is 'Directory: references on a provider''s list that belong to no known payout. The worker queries a payout with such a reference before it sends the payout.';
comment on column unaccounted_payouts.day is 'The provider''s day of the list.';
comment on column unaccounted_payouts.source is 'notified, asked: a notification, or the response to a query about one payout. Null: a list.';
grant select, insert, update, delete on unaccounted_payouts to gateway_app;

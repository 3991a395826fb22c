-- What a provider's list of a day says, held against the ledger.
create table reconciliations (
  rail text not null,
  day text not null,
  run_at timestamptz not null,
  listed integer not null,
  matched integer not null,
  settled integer not null,
  primary key (rail, day)
);
comment on table reconciliations is 'The latest comparison of each day of each rail. The day is as the provider counts it.';
comment on column reconciliations.listed is 'Payouts on the provider''s list.';
comment on column reconciliations.matched is 'Those that the ledger has as the list has them.';
comment on column reconciliations.settled is 'Those that waited here, and ended with what the list said.';

create table differences (
  rail text not null,
  day text not null,
  kind text not null check (kind in ('missing_here', 'missing_there', 'amount', 'state', 'duplicate', 'unreadable')),
  subject text not null,
  merchant_id text,
  payout_id text,
  ours text not null,
  theirs text not null,
  found_at timestamptz not null,
  resolved_at timestamptz,
  resolved_by text,
  resolution text,
  primary key (rail, day, kind, subject),
  constraint resolved_whole check ((resolved_at is null) = (resolved_by is null) and (resolved_at is null) = (resolution is null))
);
comment on table differences is 'Where a provider''s list and the ledger disagree: each is an item that a person resolves, or a later comparison.';
comment on column differences.subject is 'Our reference, or the provider''s own id where there is none.';

grant select, insert, update on reconciliations, differences to gateway_app;

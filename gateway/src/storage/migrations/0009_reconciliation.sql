-- Reconciliation: comparisons of providers' records with the ledger, and the differences found.

create table reconciliations (
  rail text not null,
  day text not null,
  run_at timestamptz not null,
  listed integer not null,
  matched integer not null,
  settled integer not null,
  primary key (rail, day)
);
comment on table reconciliations is 'The latest comparison of each day of each rail.';
comment on column reconciliations.day is 'The provider''s day.';
comment on column reconciliations.listed is 'Payouts on the provider''s list.';
comment on column reconciliations.matched is 'Payouts that agree with the ledger.';
comment on column reconciliations.settled is 'Pending payouts whose outcome came from the list.';
grant select, insert, update on reconciliations to gateway_app;

create table differences (
  rail text not null,
  day text not null,
  kind text not null check (kind in ('missing_here', 'missing_there', 'amount', 'state', 'duplicate', 'unreadable',
    'excess', 'refund_amount', 'reversal_amount', 'contradiction', 'payout_amount', 'unknown_reference', 'unconfirmed', 'transfer_amount', 'transfer_unreadable')),
  subject text not null,
  merchant_id text,
  payout_id text,
  ours text not null,
  theirs text not null,
  found_at timestamptz not null,
  resolved_at timestamptz,
  resolved_by text,
  resolution text,
  transaction_id bigint,
  source text check (source in ('notified', 'asked')),
  primary key (rail, day, kind, subject),
  constraint resolved_whole check ((resolved_at is null) = (resolved_by is null) and (resolved_at is null) = (resolution is null))
);
comment on table differences is 'Disagreements between a provider and the ledger. An operator resolves each; the gateway resolves those that no longer exist.';
comment on column differences.day is 'The provider''s day of a comparison. For a single report, its day in UTC.';
comment on column differences.subject is 'The gateway''s reference, or the provider''s id if there is none.';
comment on column differences.payout_id is 'The payout. Null: none.';
comment on column differences.ours is 'The value in the ledger.';
comment on column differences.theirs is 'The value at the provider.';
comment on column differences.resolved_by is 'The operator, or the gateway.';
comment on column differences.transaction_id is 'The deposit. Null: none.';
comment on column differences.source is 'notified, asked: a notification, or the response to a query about one payout. No later list resolves it. Null: a list, or another report.';
grant select, insert, update on differences to gateway_app;

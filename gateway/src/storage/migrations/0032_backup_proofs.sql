-- The proofs that a backup can be restored.

create table backup_proofs (
  proof_id text primary key,
  backup text not null,
  backup_taken_at timestamptz not null,
  started_at timestamptz not null,
  recovered_until timestamptz,
  lost_ms bigint,
  restored_in_ms bigint,
  finished_at timestamptz not null,
  invariants int not null,
  broken text[] not null,
  accounts int not null,
  differing text[] not null,
  failure text
);
create index backup_proofs_in_time on backup_proofs (started_at);
comment on table backup_proofs is 'Append-only. Each restore of a backup into a scratch server, with the findings of its checks.';
comment on column backup_proofs.backup is 'The name of the base backup.';
comment on column backup_proofs.recovered_until is 'The time of the newest transaction in the restored database. Null: the restore failed.';
comment on column backup_proofs.lost_ms is 'The age of the newest backed-up transaction when the proof began (RPO).';
comment on column backup_proofs.restored_in_ms is 'From the beginning of the restore until the restored server accepted connections (RTO).';
comment on column backup_proofs.invariants is 'How many invariants were checked.';
comment on column backup_proofs.broken is 'The names of the broken invariants.';
comment on column backup_proofs.accounts is 'How many balances were compared with the serving database.';
comment on column backup_proofs.differing is 'The first accounts whose balances differ.';
comment on column backup_proofs.failure is 'Why no proof was possible. Null: it was.';
grant select, insert on backup_proofs to gateway_app;

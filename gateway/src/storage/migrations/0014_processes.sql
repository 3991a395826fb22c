-- The processes of the gateway that run now.

create table processes (
  process_id text primary key,
  role text not null,
  version text not null,
  host text not null,
  rails text[] not null,
  sending_rails jsonb not null,
  started_at timestamptz not null,
  seen_at timestamptz not null
);
comment on table processes is 'Every few seconds each process that serves writes its row, and deletes it when it stops. An old row belongs to a process that has died.';
comment on column processes.role is 'all, api, worker or manage.';
comment on column processes.rails is 'Every rail whose variables the process has, including those for payments only.';
comment on column processes.sending_rails is 'The rails that send payouts, returns or refunds, with what they carry. No address and no credential.';
comment on column processes.seen_at is 'When the process last wrote the row.';
grant select, insert, update, delete on processes to gateway_app;

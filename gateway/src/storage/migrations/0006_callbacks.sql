-- Callbacks to merchants, and the lanes in which the worker delivers them.

create table callbacks (
  merchant_id text not null,
  callback_id text not null,
  subject text not null check (subject in ('payout', 'deposit', 'event')),
  subject_id text not null,
  payload json not null,
  state text not null check (state in ('due', 'delivered', 'undelivered', 'not_wanted')),
  created_at timestamptz not null,
  attempts smallint not null default 0,
  schedule_start smallint not null default 0,
  first_attempt_at timestamptz,
  due_at timestamptz,
  finished_at timestamptz,
  primary key (merchant_id, callback_id),
  constraint due_has_a_time check ((state = 'due') = (due_at is not null))
) with (
  -- Delivery changes an indexed column, so a new version never stays on the page of the old one.
  fillfactor = 100,
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0,
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 200000,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 50000
);
create index callbacks_due on callbacks (merchant_id, due_at) where state = 'due';
create index callbacks_undelivered on callbacks (merchant_id, created_at) where state = 'undelivered';
-- Few callbacks share a time, so the lists sort those. Each delivery writes the entries again: a callback_id would lengthen both.
create index callbacks_in_time on callbacks (merchant_id, created_at);
create index callbacks_newest on callbacks (created_at);
comment on table callbacks is 'One row per callback. The commit that changes the subject writes it.';
comment on column callbacks.callback_id is 'The webhook-id of every attempt.';
comment on column callbacks.subject_id is 'The payout_id of the payout, or the order of the deposit.';
comment on column callbacks.payload is 'An array of [name, value] in sending order, without the signature. As json it takes a third less space than as jsonb.';
comment on column callbacks.state is 'undelivered: the gateway stopped its attempts. not_wanted: the merchant has no address for it.';
comment on column callbacks.attempts is 'Delivery attempts so far.';
comment on column callbacks.schedule_start is 'The number of attempts when the retry schedule began. A resend restarts the schedule.';
comment on column callbacks.first_attempt_at is 'The retry schedule counts from then.';
grant select, insert, update on callbacks to gateway_app;

create table callback_lanes (
  merchant_id text primary key,
  due_at timestamptz not null,
  lease_until timestamptz,
  paused_until timestamptz,
  fence integer not null default 0,
  failures integer not null default 0
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index callback_lanes_ready on callback_lanes (coalesce(lease_until, greatest(due_at, paused_until)));
comment on table callback_lanes is 'One row per merchant with callbacks. Only the lease holder delivers them, so no merchant delays another.';
comment on column callback_lanes.due_at is 'When the lane has work. A new callback lowers it, and the holder sets it when it releases the lane.';
comment on column callback_lanes.lease_until is 'When the lease expires. Null: no process holds the lane.';
comment on column callback_lanes.paused_until is 'The breaker is open until then, and no attempt is made. Null: it is closed.';
comment on column callback_lanes.fence is 'Counts claims. A worker records an outcome only with the latest fence.';
comment on column callback_lanes.failures is 'Consecutive failed attempts when the last holder released the lane. They open the breaker.';
grant select, insert, update on callback_lanes to gateway_app;

create table callback_attempts (
  merchant_id text not null,
  callback_id text not null,
  attempt smallint not null,
  started_at timestamptz not null,
  latency_ms integer not null,
  http_status smallint,
  outcome text not null,
  reply text not null,
  sent json,
  written_by xid8 not null default pg_current_xact_id(),
  primary key (merchant_id, callback_id, attempt)
) with (
  autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 200000,
  autovacuum_analyze_threshold = 200000
);
create index callback_attempts_in_commit_order on callback_attempts (written_by);
comment on table callback_attempts is 'Append-only. Every delivery attempt with its result.';
comment on column callback_attempts.written_by is 'The database transaction that wrote the row. Events follow this order, because rows do not become visible in the order of their times.';
comment on column callback_attempts.http_status is 'Null: the merchant''s server did not respond.';
comment on column callback_attempts.reply is 'The first KiB of the response.';
comment on column callback_attempts.sent is 'An array: address, format, signature field, x-sign, timestamp and webhook-signature. Together with the payload they give the exact bytes that were sent. Null: nothing was sent.';
grant select, insert on callback_attempts to gateway_app;

-- The request log: the last rejected requests of each merchant, and a sample of the accepted ones.

create table logged_requests (
  merchant_id text not null,
  request_id text not null,
  received_at timestamptz not null,
  endpoint text not null check (endpoint in ('payout_send', 'payout_status', 'balance', 'list', 'host2host', 'form')),
  outcome text not null check (outcome in ('accepted', 'rejected', 'unproven')),
  reason text not null,
  description text not null,
  method text not null,
  http_status smallint not null,
  client_address text not null,
  duration_ms integer not null,
  subject_id text,
  headers jsonb not null,
  request bytea not null,
  request_bytes integer not null,
  reply bytea not null,
  vault_token text,
  primary key (merchant_id, request_id),
  constraint accepted_has_no_reason check ((outcome = 'accepted') = (reason = ''))
) with (autovacuum_vacuum_scale_factor = 0.1, autovacuum_analyze_threshold = 10000);
create index logged_requests_in_time on logged_requests (merchant_id, received_at, request_id);
create index logged_requests_of_outcome on logged_requests (merchant_id, outcome, received_at);
create index logged_requests_newest on logged_requests (received_at, request_id);
comment on table logged_requests is 'A bounded number of requests per merchant and outcome, for a bounded time. Card numbers and secrets in them are overwritten.';
comment on column logged_requests.outcome is 'unproven: rejected before the gateway knew the sender, so a stranger may have sent it in the merchant''s name.';
comment on column logged_requests.reason is 'The kind of the rejection; empty for an accepted request.';
comment on column logged_requests.description is 'The text of the response to a rejected request.';
comment on column logged_requests.subject_id is 'The payout_id or order in the request.';
comment on column logged_requests.headers is 'Those of a closed list of names.';
comment on column logged_requests.request is 'The first 16 KiB of the body, or of the query of a GET.';
comment on column logged_requests.request_bytes is 'The length of the whole request, in bytes.';
comment on column logged_requests.reply is 'The first 4 KiB of the response. Empty for pages, balances and lists.';
comment on column logged_requests.vault_token is 'The sealed exact bytes of a request with a wrong signature, which the signature doctor reads. The vault destroys them with the entry.';
grant select, insert, delete on logged_requests to gateway_app;

-- A signature has one purpose: links that payers see are signed with a key of their own. Every key so far is an API key; a
-- merchant from before gets the first form key by `gateway key rotate MERCHANT --purpose form`, which shows it. A version
-- before this one takes every key for an API key: make form keys after the last of its processes is gone.
alter table merchant_keys add column purpose text not null default 'api' check (purpose in ('api', 'form'));
comment on column merchant_keys.purpose is 'What the key proves. api: all that merchant and gateway send each other. form: links to the hosted form, nothing else.';
comment on column merchant_keys.retires_at is 'Not valid from here on. Null: the current key of its purpose.';
comment on column merchant_keys.first_used_at is 'When a request first used the key. Null: not yet.';
alter table merchant_keys add column last_used_at timestamptz;
comment on column merchant_keys.last_used_at is 'When a request last used the key, written at most once an hour. Null: not yet, or before it was kept.';

-- The worker checks the seal before each send.

alter table payouts add column seal bytea;
comment on column payouts.seal is 'Keyed hash of what the gateway sends, made at acceptance; null: accepted by an earlier version.';

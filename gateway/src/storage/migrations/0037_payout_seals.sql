-- The worker checks the seal before each send.

alter table payouts add column seal bytea;
comment on column payouts.seal is 'Keyed hash, made at acceptance, of the data that the gateway sends. Null: an earlier version accepted the payout.';

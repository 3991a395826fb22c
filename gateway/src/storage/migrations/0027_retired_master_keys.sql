-- A master key that was rotated away must not come back by a mistake in the order of GATEWAY_MASTER_KEY.
create table retired_master_keys (
  master_key_id text primary key,
  retired_at timestamptz not null
);
comment on table retired_master_keys is 'Master keys that a rotation has begun to take out of use. Production does not seal under them.';
comment on column retired_master_keys.master_key_id is 'The id of the key, as it stands beside everything that the key sealed.';
comment on column retired_master_keys.retired_at is 'When the first rotation away from the key began.';

grant select, insert, delete on retired_master_keys to gateway_app;

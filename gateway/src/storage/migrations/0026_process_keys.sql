-- Each process reports its master keys, so that a rotation does not lock out one that lacks the new key.

alter table processes add column master_key_ids text[];
comment on column processes.master_key_ids is 'The ids of the master keys that the process started with. Null: it reads keys from a file and notices new ones, or an older version wrote the row.';

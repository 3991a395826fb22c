-- migration: not transactional
-- The actions of one user or token, newest first.
create index concurrently if not exists audit_entries_by_actor on audit_entries (actor_id, at, merchant_id, number);

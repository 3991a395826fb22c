-- migration: not transactional
create index concurrently if not exists audit_entries_of_joined on audit_entries (merchant_id, actor_name) where act = 'link';

-- vault_records_by_key_range does its work.
-- migration: not transactional
drop index concurrently if exists vault_records_by_master_key;

-- Which master keys are in use is asked by operators alone, so it may not cost an index entry for each card: of every
-- 32 pages this index knows the lowest and the highest key, which are nearly always one and the same.
-- migration: not transactional
create index concurrently if not exists vault_records_by_key_range on vault_records
  using brin (master_key_id) with (pages_per_range = 32, autosummarize = on);

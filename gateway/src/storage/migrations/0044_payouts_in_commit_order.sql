-- migration: not transactional
create index concurrently if not exists payouts_in_commit_order on payouts (written_by) where accepted_why is not null;

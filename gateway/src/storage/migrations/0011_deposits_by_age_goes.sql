-- As payouts_by_age.
-- migration: not transactional
drop index concurrently if exists deposits_by_age;

-- Nothing reads payouts in the order of their numbers any more. A version that still does finds them by another index.
-- migration: not transactional
drop index concurrently if exists payouts_by_age;

-- Lists read a merchant's payouts of a period in the order of their time.
-- migration: not transactional
create index concurrently if not exists payouts_in_time on payouts (merchant_id, currency, accepted_at);

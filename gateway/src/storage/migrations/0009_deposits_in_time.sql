-- As payouts_in_time. Where a page goes on, the primary key says.
-- migration: not transactional
create index concurrently if not exists deposits_in_time on deposits (merchant_id, currency, created_at);

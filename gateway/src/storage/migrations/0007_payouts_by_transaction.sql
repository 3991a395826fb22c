-- Where a page of a list goes on: behind the payout of that number.
-- migration: not transactional
create index concurrently if not exists payouts_by_transaction on payouts (merchant_id, transaction_id);

-- migration: not transactional
create index concurrently if not exists deposit_refunds_of_receipt on deposit_refunds (merchant_id, transfer_key);

-- An order may have been tried more than once, and its present holder alone is in deposit_orders.
-- migration: not transactional
create index concurrently if not exists deposits_of_order on deposits (merchant_id, order_id);

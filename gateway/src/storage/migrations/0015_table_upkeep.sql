-- A share of a table alone lets a young table be analysed and vacuumed again every few seconds, at a quarter of what all its
-- writes cost. Each share begins from a number of rows that is worth the work (docs/operations/database.md).
alter table payouts set (autovacuum_analyze_threshold = 200000, autovacuum_vacuum_threshold = 100000, autovacuum_vacuum_insert_threshold = 200000);
alter table vault_records set (autovacuum_analyze_threshold = 200000, autovacuum_vacuum_threshold = 100000, autovacuum_vacuum_insert_threshold = 200000);
alter table payout_history set (autovacuum_analyze_threshold = 200000, autovacuum_vacuum_insert_threshold = 200000);
alter table ledger_transfers set (autovacuum_analyze_threshold = 200000, autovacuum_vacuum_insert_threshold = 200000);
alter table callback_attempts set (autovacuum_analyze_threshold = 200000, autovacuum_vacuum_insert_threshold = 200000);
alter table payout_attempts set (autovacuum_analyze_threshold = 200000, autovacuum_vacuum_insert_threshold = 200000);
alter table rail_references set (autovacuum_analyze_threshold = 200000, autovacuum_vacuum_insert_threshold = 200000);
alter table callbacks set (autovacuum_analyze_threshold = 50000, autovacuum_vacuum_insert_threshold = 200000);
alter table payout_jobs set (autovacuum_analyze_threshold = 50000);

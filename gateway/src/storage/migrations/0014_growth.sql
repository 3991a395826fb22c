-- What keeps the tables fit as they grow to many millions of rows (docs/operations/database.md says why, table by table).

-- A payout changes once, when it becomes final. Half of each page stays free for that, so that the new version lies beside
-- the old one and no index learns of it.
alter table payouts set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
alter table vault_records set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);

-- Few rows, changed by every batch: a scan of them has to stay a scan of few pages.
alter table ledger_accounts set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

-- A backlog of a million must not look like the empty queue that was analysed an hour ago.
alter table payout_jobs set (autovacuum_analyze_scale_factor = 0.02);
alter table callbacks set (autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);

-- Only added to. What will never change is frozen when it is vacuumed first, and not all at once years later.
alter table ledger_transfers set (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
alter table payout_history set (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
alter table deposit_history set (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05);
alter table callback_attempts set (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05);
alter table rail_references set (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05);
alter table incoming_transfer_keys set (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05);

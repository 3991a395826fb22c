-- The ledger grows in the order of its time, so a range of its blocks says where a day is: comparisons with providers ask.
-- migration: not transactional
create index concurrently if not exists ledger_transfers_in_time on ledger_transfers
  using brin (posted_at) with (pages_per_range = 32, autosummarize = on);

-- migration: not transactional
create index concurrently if not exists proposals_of_maker on proposals (maker_id, created_at, proposal_id);

-- A paid deposit may lose its order to a request that the merchant signed: it keeps its state, and its money is held.

alter table deposits add column displaced_by bigint;
comment on column deposits.displaced_by is 'The transaction that has its order now. Null: none, or it failed so before this was recorded.';

-- The end of each audit chain, so that the loss of its newest entries is found.

create table audit_heads (
  merchant_id text primary key,
  number bigint not null check (number > 0),
  hash bytea not null
);
comment on table audit_heads is 'The newest entry of each audit chain, written in the transaction of the entry. If a chain ends at another entry, somebody deleted or inserted entries.';
comment on column audit_heads.merchant_id is 'The chain: a merchant, or the operator.';
comment on column audit_heads.number is 'The number of the newest entry.';
comment on column audit_heads.hash is 'The hash of the newest entry.';
grant select, insert, update on audit_heads to gateway_app;

insert into audit_heads
select distinct on (merchant_id) merchant_id, number, hash from audit_entries order by merchant_id, number desc;

-- A user of the operator can see what a merchant sees.

alter table sessions add column viewed_merchant_id text;
comment on column sessions.viewed_merchant_id is 'The merchant whose pages a user of the operator views without the right to change anything. Null: none.';

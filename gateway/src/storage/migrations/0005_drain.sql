-- What a payout costs on its way from accepted to told. Rows that a later step changes find room on their own page, so
-- that no index has to hear of the change; rows that only wait for their end are not rewritten to say when it is.

create table vault_expiries (
  merchant_id text not null,
  destroy_at timestamptz not null,
  token text not null,
  primary key (merchant_id, destroy_at, token)
);
create index vault_expiries_due on vault_expiries (destroy_at);
comment on table vault_expiries is 'When the vault records of final payouts are to be destroyed. Written at the end of the payout: the sealed record itself is not rewritten for it.';
comment on column vault_records.destroy_at is 'Past it the row is deleted. Of a card attempt it is set from the first, and the attempt''s end deletes the row before; of a payout the time stands in vault_expiries.';
grant select, insert, delete on vault_expiries to gateway_app;

alter table payout_attempts set (fillfactor = 60);
-- Delivery changes what the index of due callbacks is about, so a new version never stays on the page of the old one.
alter table callbacks set (fillfactor = 100);

-- Receipts by email, for merchants that enable them.

create table receipt_emails (
  merchant_id text not null,
  transaction_id bigint not null,
  email text not null,
  language text not null,
  is_signed boolean not null,
  look_at timestamptz not null,
  tries smallint not null,
  primary key (merchant_id, transaction_id)
);
create index receipt_emails_due on receipt_emails (look_at);
comment on table receipt_emails is 'Where the receipt of an open payment goes. The worker deletes the row before it sends, or when the payment fails.';
comment on column receipt_emails.transaction_id is 'The deposit.';
comment on column receipt_emails.email is 'The address that the payer gave, in the link or on the page.';
comment on column receipt_emails.language is 'The language of the payer''s page.';
comment on column receipt_emails.is_signed is 'Whether the merchant signed the link. Only then does the message show the order.';
comment on column receipt_emails.look_at is 'When the worker checks the payment next.';
comment on column receipt_emails.tries is 'Attempts that the mail server did not accept.';
grant select, insert, update, delete on receipt_emails to gateway_app;

-- The payer's time zone, for the date on the receipt by email.

alter table receipt_emails add column time_zone text not null default '';
comment on column receipt_emails.time_zone is 'The IANA name of the time zone of the payer''s browser. Empty: the browser stated none.';

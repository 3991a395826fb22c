-- A payer's return whose outcome nobody recorded, because the process that passed it on died.

alter table payment_attempts add column open_returns integer not null default 0;
comment on column payment_attempts.open_returns is 'The payer''s returns from the current step that the provider may have and whose answer is not recorded. While there is one, only an outcome ends the attempt.';

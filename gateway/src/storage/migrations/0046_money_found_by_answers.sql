-- A provider's response confirms the money of a payment on the form before any notification arrives.

alter table incoming_transfers drop constraint incoming_transfers_found_by_check;
alter table incoming_transfers add constraint incoming_transfers_found_by_check
  check (found_by in ('notification', 'reconciliation', 'answer')) not valid;
comment on column incoming_transfers.found_by is 'How the gateway learned of the transfer. reconciliation: from the bank''s list. answer: from the provider''s response about a payment on the form.';

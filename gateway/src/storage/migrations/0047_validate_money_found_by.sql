-- Migration 0046 widened this check: every earlier row meets it.

alter table incoming_transfers validate constraint incoming_transfers_found_by_check;

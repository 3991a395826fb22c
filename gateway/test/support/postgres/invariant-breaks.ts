/** For each invariant, a statement that breaks it in the test data, because a check that cannot fail proves nothing. */
export const PAYOUT_BREAKS: Readonly<Record<string, string>> = {
  debits_equal_credits: `update ledger_accounts set balance = balance + 1 where merchant_id = 'planted' and account = 'available'`,
  balance_is_sum_of_transfers: `delete from ledger_transfers where merchant_id = 'planted' and kind = 'payout'`,
  no_balance_past_its_floor: `alter table ledger_accounts drop constraint available_not_below_zero;
      update ledger_accounts set balance = -1 where merchant_id = 'planted' and account = 'available'`,
  reserved_is_what_is_pending: `update payouts set amount = amount + 1 where merchant_id = 'planted' and payout_id = 'P'`,
  pending_payouts_have_a_job: `delete from payout_jobs where merchant_id = 'planted'`,
  payout_journals_fit_its_state: `delete from ledger_transfers where merchant_id = 'planted' and kind = 'reserve'`,
  final_payouts_have_one_callback: `delete from callbacks where merchant_id = 'planted'`,
  due_callbacks_have_a_lane: `delete from callback_lanes where merchant_id = 'planted'`,
  nothing_leaves_a_final_state: `insert into payout_history values ('planted', 'Q', 9, now(), 'x', 'success', 'pending', 'x', '')`,
  executed_payouts_were_attempted: `delete from payout_attempts where merchant_id = 'planted'`,
  approval_precedes_attempts: `update payout_history set entry = 7 where merchant_id = 'planted' and payout_id = 'Q' and entry = 2;
      insert into payout_history values ('planted', 'Q', 2, now(), 'approval_required', 'pending', 'pending', 'x', '')`,
  one_reference_per_payout_and_rail: `insert into payout_attempts select merchant_id, payout_id, 9, rail, 'other', started_at, send_until
      from payout_attempts where merchant_id = 'planted'`,
  pending_card_data_is_in_the_vault: `update payouts set vault_token = 'gone' where merchant_id = 'planted' and payout_id = 'P'`,
};

export const DEPOSIT_BREAKS: Readonly<Record<string, string>> = {
  ended_attempts_left_no_card: `insert into payment_attempts (merchant_id, transaction_id, attempt, rail, payment_type, reference, state, started_at, send_until, finished_at)
        values ('exact', 1, 1, 'x', 'card', '1', 'paid', now(), now(), now());
      insert into payment_cards values ('exact', 1, 1, '', 't');
      insert into vault_records values ('exact', 't', 'k', '', '', now(), null)`,
  suspense_is_what_is_held: `update incoming_transfers set state = 'given_up' where merchant_id = 'hold-over'`,
  incoming_transfers_are_posted_once: `delete from ledger_transfers where merchant_id = 'exact' and kind = 'deposit'`,
  receipts_are_credited_or_held: `update incoming_transfers set state = 'held' where merchant_id = 'exact'`,
  returns_take_back_one_transfer: `update payouts set amount = amount + 1 where merchant_id = 'hold-short'`,
  succeeded_deposits_were_paid: `delete from incoming_transfers where merchant_id = 'exact'`,
  credited_deposits_have_ended: `update deposits set state = 'pending', finished_at = null where merchant_id = 'exact'`,
  orders_succeed_once: `update deposit_orders set transaction_id = 1 where merchant_id = 'exact'`,
  paid_attempts_brought_money: `insert into payment_attempts (merchant_id, transaction_id, attempt, rail, payment_type, reference, state, started_at, send_until, finished_at)
        values ('exact', 1, 1, 'x', 'card', '1', 'paid', now(), now(), now())`,
  final_deposits_have_one_callback: `delete from callbacks where merchant_id = 'exact'`,
  deposit_history_ends_in_its_state: `delete from deposit_history where merchant_id = 'exact' and entry > 1`,
};

export const REFUND_BREAKS: Readonly<Record<string, string>> = {
  no_more_goes_back_than_came: `update payouts set amount = amount + 10000 where merchant_id = 'planted' and purpose = 'refund'`,
  takings_are_posted: `update receipt_takings set account = 'suspense' where merchant_id = 'planted'`,
  takings_are_of_one_report: `delete from receipt_takings where merchant_id = 'planted'`,
  receipts_are_what_their_provider_says: `update deposit_adjustments set amount = amount + 1 where merchant_id = 'planted'`,
  refunds_give_back_one_receipt: `delete from deposit_refunds where merchant_id = 'planted'`,
};

export const AUDIT_BREAKS: Readonly<Record<string, string>> = {
  audit_chain_is_unbroken: `insert into audit_entries values
    ('planted', 1, now(), 'A1', 'done', 'x', 'x', 'token', 'T1', 'x', null, 'R1', null, '{}', '\\x00')`,
  audit_chains_end_at_their_heads: `insert into audit_heads values ('planted', 2, '\\x00')`,
  executed_proposals_are_one_approved_act: `insert into proposals values
      ('planted', 'x', 'x', 'x', '{}', sha256('{}'), null, 'person', 'P1', 'x', 'P1', 'a@x', '{}', '2026-11-20', '2100-01-01');
    insert into proposal_ends values ('planted', 'executed', '2026-11-21', 'person', 'P1', 'P1', 'a@x', '2100-01-01',
      'person', 'P2', 'x', 'P2', 'b@x', '{}', 'never-done', '')`,
};

export const HISTORY_BREAKS: Readonly<Record<string, string>> = {
  journals_keep_their_object: `delete from payouts where merchant_id = 'planted' and payout_id = 'Q'`,
  snapshots_are_sums_of_transfers: `insert into ledger_closings values ('planted', '2026-11-22', '2026-11-22');
      insert into ledger_snapshots values ('planted', 'EUR', 'available', '2026-11-21 13:00Z', 1)`,
  volumes_count_closed_postings: `insert into ledger_closings values ('planted', '2026-11-22', '2026-11-22');
      insert into payment_volumes values ('planted', '2026-11-21 11:00Z', 'payout', '9', 'a_rail', 'EUR', 'success', 1, 10, 0, '{}')`,
};

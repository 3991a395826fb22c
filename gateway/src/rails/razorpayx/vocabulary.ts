/**
 * Tables of RazorpayX's statuses and reasons of a payout, with their meaning for ours.
 *
 * Confirmed by RazorpayX's pages on the states of a payout: the nine statuses. `processed` may become `reversed` within
 * three working days, and so may `failed`, after money that had left has returned. `rejected` and `cancelled` are
 * final. Confirmed by its page on status details: the reasons. A reason outside the tables changes only the code of a
 * decline. Not confirmed: the reasons of each status (its own examples mix them).
 */
import type { BlockedReason } from '../../domain/payouts/payout.ts';
import type { ListedPayout } from '../../domain/payouts/payout-lister.ts';
import type { RailStatus } from '../../domain/payouts/payout-rail.ts';
import { declined } from '../kit/rail-answers.ts';

type RazorpayXState = ListedPayout['state'];

const STATES: ReadonlyMap<string, RazorpayXState> = new Map([
  ['pending', 'pending'],
  ['scheduled', 'pending'],
  ['queued', 'pending'],
  ['processing', 'pending'],
  ['processed', 'executed'],
  ['reversed', 'reversed'],
  ['failed', 'declined'],
  ['rejected', 'declined'],
  ['cancelled', 'declined'],
]);

/** Returns undefined if RazorpayX's pages have no such status. */
export function stateOf(status: string): RazorpayXState | undefined {
  return STATES.get(status);
}

export const DECLINE_REASONS: ReadonlyMap<string, BlockedReason> = new Map([
  ['bank_account_closed', 'invalid_beneficiary'],
  ['bank_account_frozen', 'invalid_beneficiary'],
  ['bank_account_invalid', 'invalid_beneficiary'],
  ['beneficiary_account_dormant', 'invalid_beneficiary'],
  ['beneficiary_account_invalid', 'invalid_beneficiary'],
  ['invalid_beneficiary', 'invalid_beneficiary'],
  ['invalid_ifsc_code', 'invalid_beneficiary'],
  ['beneficiary_bank_failure', 'bank_declined'],
  ['beneficiary_bank_offline', 'bank_declined'],
  ['beneficiary_bank_rejected', 'bank_declined'],
  ['beneficiary_bank_technical_error', 'bank_declined'],
  ['imps_not_allowed', 'bank_declined'],
  ['npci_beneficiary_timeout', 'bank_declined'],
  ['amount_limit_exhausted', 'limit_or_risk'],
  ['amount_limit_exhausted_neft', 'limit_or_risk'],
  ['transaction_limit_exceeded', 'limit_or_risk'],
]);

/** What one of our users must do if RazorpayX waits for it. */
const NOTES: ReadonlyMap<string, string> = new Map([
  ['low_balance', 'RazorpayX waits for money: our account there has too little'],
  ['pending_approval', 'RazorpayX is waiting for an approval by one of our users'],
]);

export type PayoutWord = Extract<RailStatus, { kind: RazorpayXState }>;

/** `reason` is empty if RazorpayX gives none. Undefined if its pages have no such status. */
export function meaningOf(status: string, reason: string): PayoutWord | undefined {
  const said = `RazorpayX reports ${status}${reason === '' ? '' : `: ${reason}`}`;
  switch (stateOf(status)) {
    case 'executed':
      return { kind: 'executed' };
    case 'declined':
      return declined(status === 'cancelled' ? 'cancelled' : (DECLINE_REASONS.get(reason) ?? 'unspecified'), said);
    case 'reversed':
      return { kind: 'reversed', reason: said };
    case 'pending':
      return reason === '' ? { kind: 'pending' } : { kind: 'pending', note: NOTES.get(reason) ?? said };
    case undefined:
      return undefined;
  }
}

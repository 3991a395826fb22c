/**
 * Tables of RazorpayX's statuses and reasons of a payout, with their meaning for ours.
 *
 * Confirmed by RazorpayX's pages on the states of a payout: the nine statuses. `processed` may become `reversed` within
 * three working days, and so may `failed`, after money that had left has returned. `rejected` and `cancelled` are
 * final. Confirmed by its page on status details: the reasons. A reason outside the tables changes only the code of a
 * decline. Not confirmed: the reasons of each status (its own examples mix them).
 */
import type { BlockedCode } from '../../domain/payouts/payout.ts';
import type { ListedPayout } from '../../domain/payouts/payout-lister.ts';
import type { RailStatus } from '../../domain/payouts/payout-rail.ts';
import { declined } from '../kit/payout-answers.ts';

export type RazorpayXState = ListedPayout['state'];

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

/** Undefined if RazorpayX's pages have no such status. */
export function stateOf(status: string): RazorpayXState | undefined {
  return STATES.get(status);
}

export const DECLINE_CODES: ReadonlyMap<string, BlockedCode> = new Map([
  ['bank_account_closed', '52'],
  ['bank_account_frozen', '52'],
  ['bank_account_invalid', '52'],
  ['beneficiary_account_dormant', '52'],
  ['beneficiary_account_invalid', '52'],
  ['invalid_beneficiary', '52'],
  ['invalid_ifsc_code', '52'],
  ['beneficiary_bank_failure', '51'],
  ['beneficiary_bank_offline', '51'],
  ['beneficiary_bank_rejected', '51'],
  ['beneficiary_bank_technical_error', '51'],
  ['imps_not_allowed', '51'],
  ['npci_beneficiary_timeout', '51'],
  ['amount_limit_exhausted', '53'],
  ['amount_limit_exhausted_neft', '53'],
  ['transaction_limit_exceeded', '53'],
]);

/** A person's next action, if RazorpayX waits for one. */
const NOTES: ReadonlyMap<string, string> = new Map([
  ['low_balance', 'RazorpayX waits for money: our account there has too little'],
  ['pending_approval', 'RazorpayX waits for somebody of ours to approve it there'],
]);

export type PayoutWord = Extract<RailStatus, { kind: RazorpayXState }>;

/** `reason` is empty if RazorpayX gives none. Undefined if its pages have no such status. */
export function meaningOf(status: string, reason: string): PayoutWord | undefined {
  const said = `RazorpayX says ${status}${reason === '' ? '' : `: ${reason}`}`;
  switch (stateOf(status)) {
    case 'executed':
      return { kind: 'executed' };
    case 'declined':
      return declined(status === 'cancelled' ? '55' : (DECLINE_CODES.get(reason) ?? '50'), said);
    case 'reversed':
      return { kind: 'reversed', reason: said };
    case 'pending':
      return reason === '' ? { kind: 'pending' } : { kind: 'pending', note: NOTES.get(reason) ?? said };
    case undefined:
      return undefined;
  }
}

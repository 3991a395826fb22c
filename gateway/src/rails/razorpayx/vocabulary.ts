/**
 * RazorpayX's words for where a payout stands and why, as tables, and what they mean for a payout of ours.
 *
 * Confirmed by RazorpayX's pages on the states of a payout: the nine of them; that `processed` may be followed by `reversed`
 * within three working days, and `failed` as well, once money that had left is back; that `rejected` and `cancelled` are ends.
 * By its page on status details: the reasons. One that is not in the tables changes only the code of a decline. Not
 * confirmed: which reasons come with which status (its own examples mix them).
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

/** Undefined: RazorpayX's pages have no such status. */
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

/** What a person has to do, where RazorpayX waits for one. */
const NOTES: ReadonlyMap<string, string> = new Map([
  ['low_balance', 'RazorpayX waits for money: our account there has too little'],
  ['pending_approval', 'RazorpayX waits for somebody of ours to approve it there'],
]);

export type PayoutWord = Extract<RailStatus, { kind: RazorpayXState }>;

/** `reason`: empty where RazorpayX gives none. Undefined: no status of its pages. */
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

/**
 * A table of Visa's action codes, with their meaning for a payout.
 *
 * Confirmed by a processor's published table of Visa Direct's responses: the codes and their meanings. Confirmed by Visa's
 * page of errors: a decline comes with HTTP 200, and 94 (a duplicate) repeats the first response's code. The list of temporary
 * codes is our own judgement; the rail draws no conclusion from them before it has looked the transaction up.
 */
import type { BlockedReason } from '../../domain/payouts/payout.ts';
import { declineReasonsOf } from '../kit/rail-answers.ts';

export const APPROVED = '00';
/** Visa's code for a repeated transaction. The first one's outcome is in `originalActionCode`. */
export const DUPLICATE = '94';

export const DECLINE_REASONS = declineReasonsOf({
  unspecified: ['03', '12', '13', '58', 'N0', '1A', '6P'],
  bank_declined: ['01', '02', '04', '05', '07', '41', '43', '51', '57', '62', '78', 'R0', 'R1', 'R3', 'Z3'],
  invalid_beneficiary: ['14', '15', '39', '46', '54'],
  limit_or_risk: ['59', '61', '64', '65', '75', '93', 'N4', 'P5', 'P6', 'Q1'],
});

/**
 * Codes for temporary faults of Visa or the issuer. Such a response is not final. A transaction that is found with one of
 * these codes was not paid.
 */
const PASSING: ReadonlySet<string> = new Set(['06', '19', '21', '25', '28', '91', '92', '96']);

/** Returns undefined if the code is not a decline, or is unknown. */
export function declineReasonOf(actionCode: string): BlockedReason | undefined {
  return DECLINE_REASONS.get(actionCode);
}

export function isPassing(actionCode: string): boolean {
  return PASSING.has(actionCode);
}

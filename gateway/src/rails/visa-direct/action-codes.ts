/**
 * What Visa's action codes say of a payout, as a table.
 *
 * Confirmed by a processor's published table of what Visa Direct answers: the codes and their meanings. By Visa's page of
 * errors: that a decline comes with HTTP 200, and that 94 (a duplicate) brings the first answer's code along. Which codes are a
 * passing trouble is our own judgement: of those nothing is concluded before the transaction has been looked up.
 */
import type { BlockedCode } from '../../domain/payouts/payout.ts';
import { declineCodesOf } from '../kit/payout-answers.ts';

export const APPROVED = '00';
/** The same transaction came before; its own outcome stands in `originalActionCode`. */
export const DUPLICATE = '94';

export const DECLINE_CODES = declineCodesOf({
  '50': ['03', '12', '13', '58', 'N0', '1A', '6P'],
  '51': ['01', '02', '04', '05', '07', '41', '43', '51', '57', '62', '78', 'R0', 'R1', 'R3', 'Z3'],
  '52': ['14', '15', '39', '46', '54'],
  '53': ['59', '61', '64', '65', '75', '93', 'N4', 'P5', 'P6', 'Q1'],
});

/** Trouble at Visa or the issuer: the answer alone is no end; a transaction that is found with one of these was not paid. */
const PASSING: ReadonlySet<string> = new Set(['06', '19', '21', '25', '28', '91', '92', '96']);

/** Undefined: no decline, or a code that nobody has told us of. */
export function declineOf(actionCode: string): BlockedCode | undefined {
  return DECLINE_CODES.get(actionCode);
}

export function isPassing(actionCode: string): boolean {
  return PASSING.has(actionCode);
}

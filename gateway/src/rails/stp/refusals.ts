/**
 * Tables of the numbers and texts with which STP rejects an order immediately.
 *
 * Confirmed by clients' tests: the messages and numbers. A number outside these tables proves nothing.
 */
import type { BlockedReason } from '../../domain/payouts/payout.ts';

export interface Refusal {
  readonly id: string;
  /** The reason in STP's own words. */
  readonly reason: string;
}

/** STP's number for an order whose claveRastreo exists already. */
export const KEY_USED = '-1';

const REFUSALS: ReadonlySet<string> = new Set(['-7', '-9', '-11', '-20', '-22', '-24', '-31', '-34', '-200']);
/** STP uses id 0 for many errors. One of them, a missing response from its own service, proves nothing. */
const REFUSED_UNDER_ZERO = /^(?:Error validando la firma|Firma invalida|El campo .+ es obligatorio)/;

/** Returns true if STP says that the order does not exist and never will. */
export function isRefused({ id, reason }: Refusal): boolean {
  return REFUSALS.has(id) || (id === '0' && REFUSED_UNDER_ZERO.test(reason));
}

/** Returns true if STP refused our key and not the order. */
export function isSignatureRefused({ id, reason }: Refusal): boolean {
  return id === '0' && isAboutSignature(reason);
}

/** Returns true for a rejection about the signature itself, and false for one about a missing field. */
export function isAboutSignature(reason: string): boolean {
  return /firma/i.test(reason) && !reason.startsWith('El campo');
}

const DECLINE_REASONS: ReadonlyMap<string, BlockedReason> = new Map([
  ...['-9', '-11', '-22', '-24'].map((id) => [id, 'invalid_beneficiary'] as const),
  ['-20', 'limit_or_risk'],
]);

/** Returns our reason for the number of a rejected order. */
export function declineReasonOfRefusal(id: string): BlockedReason {
  return DECLINE_REASONS.get(id) ?? 'bank_declined';
}

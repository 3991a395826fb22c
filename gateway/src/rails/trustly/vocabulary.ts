/**
 * Trustly's numbers for a call that failed, as a table.
 *
 * Confirmed: the numbers, words and meanings of a Deposit's errors by Trustly's documents; 616 also by a recorded, signed
 * answer; that an error means that the call was not accepted, by its documents of JSON-RPC and of Refund. Not confirmed:
 * the numbers of a Refund's errors; what 620 ("several reasons") means for an order. What is not here is unknown.
 */
import type { PaymentRefusal } from '../../domain/payments/payment-rail.ts';

export type ErrorMeaning =
  /** Trustly does not know who we say we are, or does not let us in: a person has to mend it. Nothing was taken. */
  | { readonly kind: 'credentials' }
  /** There is an order under this MessageID already. */
  | { readonly kind: 'duplicate' }
  | { readonly kind: 'refused'; readonly refusal: PaymentRefusal; readonly canRetry: boolean }
  | { readonly kind: 'unknown' };

const MEANINGS: ReadonlyMap<string, ErrorMeaning> = new Map<string, ErrorMeaning>([
  ['602', { kind: 'credentials' }],
  ['607', { kind: 'credentials' }],
  ['615', { kind: 'refused', refusal: 'limit', canRetry: false }],
  ['616', { kind: 'credentials' }],
  ['620', { kind: 'unknown' }],
  ['622', { kind: 'refused', refusal: 'declined', canRetry: false }],
  ['623', { kind: 'refused', refusal: 'payer_details', canRetry: true }],
  ['636', { kind: 'credentials' }],
  ['637', { kind: 'duplicate' }],
  ['638', { kind: 'refused', refusal: 'suspected_fraud', canRetry: false }],
  ['639', { kind: 'credentials' }],
]);

export type Refused = Extract<ErrorMeaning, { kind: 'refused' }>;

export function meaningOf(code: string): ErrorMeaning {
  return MEANINGS.get(code) ?? { kind: 'unknown' };
}

/** Of a Refund, whose documents say that an error means no, whatever its number. */
export function meaningOfRefundError(code: string): ErrorMeaning {
  const meaning = MEANINGS.get(code);
  return meaning?.kind === 'credentials' || meaning?.kind === 'unknown' ? meaning : REFUND_REFUSED;
}

const REFUND_REFUSED: ErrorMeaning = { kind: 'refused', refusal: 'declined', canRetry: false };

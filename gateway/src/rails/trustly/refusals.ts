/**
 * A table of Trustly's error codes.
 *
 * Confirmed by Trustly's documents: the codes, texts and meanings of a Deposit's errors. Also confirmed by a
 * recorded, signed response: 616. Confirmed by its documents of JSON-RPC and of Refund: an error means that Trustly did not
 * accept the call. Not confirmed: the codes of a Refund's errors, and what 620 ("several reasons") means for an order. A code
 * outside this table is unknown.
 */
import type { PaymentRefusal } from '../../domain/payments/payment-rail.ts';

export type ErrorMeaning =
  /** Trustly refuses our credentials or our access. The operator must correct that. Trustly took nothing. */
  | { readonly kind: 'credentials' }
  /** An order with this MessageID exists already. */
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

/** Returns the meaning of a refund's error. According to Trustly's documents every error is a refusal, whatever its code. */
export function meaningOfRefundError(code: string): ErrorMeaning {
  const meaning = MEANINGS.get(code);
  return meaning?.kind === 'credentials' || meaning?.kind === 'unknown' ? meaning : REFUND_REFUSED;
}

const REFUND_REFUSED: ErrorMeaning = { kind: 'refused', refusal: 'declined', canRetry: false };

/**
 * VoPay's numbers for a request that failed, as a table. They come with HTTP 200 and `"Success": false`.
 *
 * Confirmed by VoPay's list of API error codes: the numbers and their meanings, 1xxx authentication, 2xxx validation, 3xxx
 * permissions, 9xxx VoPay's own trouble. By its public guide: the beginnings of messages that came without a number; that a
 * request without a TransactionID in its answer was not sent to the bank. Not confirmed, and hence believed only after a
 * look for the transaction: that a number of 2xxx or 3xxx always means that nothing was kept. 2003 is what a second request
 * under one key may be answered with, and 9xxx may come after anything.
 */
import type { PaymentRefusal } from '../../domain/payments/payment-rail.ts';

export type ErrorMeaning =
  /** VoPay does not know who we say we are. Asked before anything else, so nothing was taken. */
  | { readonly kind: 'credentials' }
  /** VoPay knows us and does not let us: a person has to mend it. Nothing was taken. */
  | { readonly kind: 'account' }
  | { readonly kind: 'refused'; readonly refusal: PaymentRefusal; readonly canRetry: boolean }
  | { readonly kind: 'not_found' }
  /** The transaction is in no state for that. */
  | { readonly kind: 'wrong_state' }
  | { readonly kind: 'unknown' };

const MEANINGS: ReadonlyMap<string, ErrorMeaning> = new Map<string, ErrorMeaning>([
  ['1000', { kind: 'credentials' }],
  ['1001', { kind: 'credentials' }],
  ['2000', { kind: 'refused', refusal: 'payer_details', canRetry: true }],
  ['2001', { kind: 'refused', refusal: 'payer_details', canRetry: true }],
  ['2002', { kind: 'not_found' }],
  ['2003', { kind: 'unknown' }],
  ['2004', { kind: 'unknown' }],
  ['2005', { kind: 'wrong_state' }],
  ['2006', { kind: 'wrong_state' }],
  ['3000', { kind: 'account' }],
  ['3001', { kind: 'refused', refusal: 'limit', canRetry: false }],
  ['3002', { kind: 'account' }],
  ['9996', { kind: 'account' }],
]);

const UNNUMBERED: readonly (readonly [begins: string, meaning: ErrorMeaning])[] = [
  ['Invalid Login', { kind: 'credentials' }],
  ['This Account is invalid or inactive', { kind: 'account' }],
  ['Unauthorized IP', { kind: 'account' }],
  ['This operation is not currently enabled', { kind: 'account' }],
];

export function meaningOf(code: string, message: string): ErrorMeaning {
  const known = code === '' ? UNNUMBERED.find(([begins]) => message.startsWith(begins))?.[1] : MEANINGS.get(code);
  return known ?? { kind: 'unknown' };
}

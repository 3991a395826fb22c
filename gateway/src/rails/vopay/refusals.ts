/**
 * A table of VoPay's numbers for failed requests. They come with HTTP 200 and `"Success": false`.
 *
 * Confirmed by VoPay's list of API error codes: the numbers and their meanings, 1xxx authentication, 2xxx validation, 3xxx
 * permissions, 9xxx faults of VoPay. Confirmed by its public guide: the beginnings of messages without a number; VoPay did not
 * send a request to the bank if its response has no TransactionID. Not confirmed: that VoPay keeps nothing after a 2xxx or
 * 3xxx. The rail therefore accepts such a rejection only after it has looked for the transaction. 2003 may be the response to
 * a second request under one key, and 9xxx may follow any outcome.
 */
import type { PaymentRefusal } from '../../domain/payments/payment-rail.ts';

export type ErrorMeaning =
  /** VoPay does not recognise our credentials. It checks them first, so it took nothing. */
  | { readonly kind: 'credentials' }
  /** VoPay recognises us and does not permit the call. The operator must correct that. VoPay took nothing. */
  | { readonly kind: 'account' }
  | { readonly kind: 'refused'; readonly refusal: PaymentRefusal; readonly canRetry: boolean }
  | { readonly kind: 'not_found' }
  /** The transaction's state does not allow the call. */
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

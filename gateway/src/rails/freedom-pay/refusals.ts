/**
 * A table of Freedom Pay's error codes, for rejected requests and for failed payouts. They come with HTTP 200.
 *
 * Confirmed by Freedom Pay's pages: 1100 is a wrong signature, 9998 an unknown merchant, 11068 an unknown payment. Payouts to
 * its test cards end with 10000, 10001 and 8888. Confirmed by its library: 9999 says nothing about a payout's outcome.
 * Confirmed only by lists of error codes in its clients: the other codes. Its complete list is not public, so the code for an
 * empty payout balance is unknown.
 *
 * A code outside this table, or one that does not prove that the recipient was not paid, is unclear, and the rail queries. The
 * same applies to calls that their settings forbid, because no page says that they check this first.
 */
import type { BlockedReason } from '../../domain/payouts/payout.ts';
import type { PgFields } from './signature.ts';

/**
 * - `credentials`: they refuse our id or our signature, and so cannot have accepted anything.
 * - `closed`: a user must change something with them. Otherwise like `unclear`.
 * - `declined`: by the bank, or because the payout is invalid.
 */
type ErrorKind = 'credentials' | 'closed' | 'declined' | 'not_found' | 'unclear';

export interface ErrorMeaning {
  readonly kind: ErrorKind;
  /** The reason of a payout that this error blocked. */
  readonly blocked: BlockedReason;
  /** Our own text, because the gateway does not keep theirs. Empty if no list has the code. */
  readonly says: string;
}

const closed = (says: string): ErrorMeaning => ({ kind: 'closed', blocked: 'unspecified', says });
const declined = (blocked: BlockedReason, says: string): ErrorMeaning => ({ kind: 'declined', blocked, says });
const credentials = (says: string): ErrorMeaning => ({ kind: 'credentials', blocked: 'unspecified', says });
const unclear = (says: string): ErrorMeaning => ({ kind: 'unclear', blocked: 'unspecified', says });

export const ERRORS: ReadonlyMap<string, ErrorMeaning> = new Map([
  ['1100', credentials('our signature is wrong')],
  ['9997', credentials('our merchant number is wrong')],
  ['9998', credentials('it does not recognise the merchant')],
  ['9992', closed('payouts are not activated')],
  ['9993', closed('the callback URL is missing')],
  ['9994', closed('the settings at Freedom Pay forbid the payout')],
  ['9995', closed('it is in test mode')],
  ['9996', closed('no contract covers it')],
  ['8888', declined('unspecified', 'the payout failed')],
  ['9403', declined('unspecified', 'a field is not valid')],
  ['10001', declined('bank_declined', 'refer to the card’s bank')],
  ['10003', declined('bank_declined', 'too many attempts')],
  ['10004', declined('bank_declined', 'the card was not authenticated')],
  ['10005', declined('invalid_beneficiary', 'the card’s data are wrong')],
  ['10006', declined('limit_or_risk', 'too often')],
  ['10007', declined('limit_or_risk', 'the card’s security check failed')],
  ['11068', { kind: 'not_found', blocked: 'unspecified', says: 'no such payment' }],
  ['9999', unclear('a system error')],
  ['10000', unclear('the service is not available')],
]);

export function meaningOf(code: string): ErrorMeaning {
  return ERRORS.get(code) ?? unclear('');
}

/** Up to six digits. Empty if there is no code. */
export function errorCodeOf(fields: PgFields): string {
  return /^\d{1,6}$/.exec(fields.get('pg_error_code') ?? '')?.[0] ?? '';
}

/** Returns a text such as `Freedom Pay reports 10001: refer to the card’s bank`. */
export function reasonOf(code: string): string {
  if (code === '') return 'Freedom Pay declined without a reason';
  const { says } = meaningOf(code);
  return says === '' ? `Freedom Pay reports ${code}` : `Freedom Pay reports ${code}: ${says}`;
}

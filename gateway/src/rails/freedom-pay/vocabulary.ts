/**
 * Freedom Pay's words for where a payout stands, and its numbers for what is wrong, as tables. They come with HTTP 200.
 *
 * Confirmed by Freedom Pay's pages: `success`, `error` and `process` of a status are final, final, and not decided; `pending`
 * in the note beside them; 1100 a wrong signature, 9998 a merchant that is not recognised, 11068 no such payment; 10000, 10001
 * and 8888 as what payouts to its test cards end with. By its library: 9999 says nothing of what became of a payout. By lists
 * of error codes in its clients alone: the other numbers. Its own whole list could not be found, and with it not the number
 * for a payout balance that is empty.
 *
 * A number that is not here, and one that does not say for certain that nobody was paid, is unclear: they are asked. That
 * holds for what their settings forbid as well, since no page says that it is looked at before anything else.
 */
import type { BlockedCode } from '../../domain/payouts/payout.ts';
import type { PgFields } from './signature.ts';

/**
 * - `credentials`: they do not know who we are, or that it is us. Nothing can have been taken.
 * - `closed`: a person has to mend something with them. `unclear` in everything else.
 * - `declined`: the bank's word, or that the payout can't be read.
 */
export type ErrorKind = 'credentials' | 'closed' | 'declined' | 'not_found' | 'unclear';

export interface ErrorMeaning {
  readonly kind: ErrorKind;
  /** Where a payout ended with it. */
  readonly blocked: BlockedCode;
  /** In our words, since theirs are not kept; empty where the number is in no list. */
  readonly says: string;
}

const closed = (says: string): ErrorMeaning => ({ kind: 'closed', blocked: '50', says });
const declined = (blocked: BlockedCode, says: string): ErrorMeaning => ({ kind: 'declined', blocked, says });
const credentials = (says: string): ErrorMeaning => ({ kind: 'credentials', blocked: '50', says });
const unclear = (says: string): ErrorMeaning => ({ kind: 'unclear', blocked: '50', says });

export const ERRORS: ReadonlyMap<string, ErrorMeaning> = new Map([
  ['1100', credentials('our signature is wrong')],
  ['9997', credentials('our merchant number is wrong')],
  ['9998', credentials('it does not know the merchant')],
  ['9992', closed('payouts are not activated')],
  ['9993', closed('the address for callbacks is missing')],
  ['9994', closed('its settings forbid it')],
  ['9995', closed('it is in test mode')],
  ['9996', closed('there is no contract for it')],
  ['8888', declined('50', 'the payout failed')],
  ['9403', declined('50', 'a field is not valid')],
  ['10001', declined('51', 'the card’s bank has to be asked')],
  ['10003', declined('51', 'too many tries')],
  ['10004', declined('51', 'the card was not authenticated')],
  ['10005', declined('52', 'the card’s data are wrong')],
  ['10006', declined('53', 'too often')],
  ['10007', declined('53', 'the card’s security forbids it')],
  ['11068', { kind: 'not_found', blocked: '50', says: 'no such payment' }],
  ['9999', unclear('a system error')],
  ['10000', unclear('the service is not available')],
]);

export function meaningOf(code: string): ErrorMeaning {
  return ERRORS.get(code) ?? unclear('');
}

/** Up to six digits; empty where there is no number. */
export function errorCodeOf(fields: PgFields): string {
  return /^\d{1,6}$/.exec(fields.get('pg_error_code') ?? '')?.[0] ?? '';
}

/** `Freedom Pay says 10001: the card’s bank has to be asked`. */
export function reasonOf(code: string): string {
  if (code === '') return 'Freedom Pay says no, and not why';
  const { says } = meaningOf(code);
  return says === '' ? `Freedom Pay says ${code}` : `Freedom Pay says ${code}: ${says}`;
}

export type FreedomPayState = 'executed' | 'declined' | 'pending';

const STATES: ReadonlyMap<string, FreedomPayState> = new Map([
  ['success', 'executed'],
  ['error', 'declined'],
  ['process', 'pending'],
  ['pending', 'pending'],
]);

/** Undefined: a word that nobody has told us of. */
export function stateOf(word: string): FreedomPayState | undefined {
  return STATES.get(word);
}

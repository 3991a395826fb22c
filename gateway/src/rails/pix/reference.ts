/**
 * Converts our reference of an attempt or a refund to the API Pix and back. A txid has 26 to 35 letters and digits, the id of a
 * devolução 1 to 35. A refund's reference fits unchanged. An attempt's reference (up to 16 digits, a dash, 8 letters or digits)
 * is padded with a non-digit, so that it can be read back.
 *
 * Confirmed by the OpenAPI document 2.9.0: both patterns. Not confirmed: that every bank distinguishes upper and lower case.
 */
import { isPayoutReference, partsOf } from '../kit/own-reference.ts';

const MARK = 'GW';
const FILLING = 'x';
const MOST_DIGITS = 16;

/** Returns 26 to 35 characters, for a txid and for the id of a devolução. */
export function identifierOf(reference: string): string {
  if (isPayoutReference(reference)) return reference;
  const { transactionId, random } = partsOf(reference);
  return `${MARK}${transactionId.padStart(MOST_DIGITS, FILLING)}${random}`;
}

/** Returns undefined if the identifier is not ours. */
export function referenceOf(identifier: string): string | undefined {
  if (isPayoutReference(identifier)) return identifier;
  const [, filled, letters] = /^GW(x*\d{1,16})([A-Za-z0-9]{8})$/.exec(identifier) ?? [];
  if (filled === undefined || filled.length !== MOST_DIGITS) return undefined;
  return `${filled.replaceAll(FILLING, '')}-${letters}`;
}

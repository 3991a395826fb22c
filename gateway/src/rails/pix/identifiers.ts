/**
 * Our reference of an attempt or a refund as the API Pix carries it: a txid has 26 to 35 letters and digits, the id of a
 * devolução 1 to 35. A refund's reference fits as it is. An attempt's (up to 16 digits, a dash, 8 letters or digits) is
 * filled up with what is no digit, so that it can be read back.
 *
 * Confirmed: both patterns, by the OpenAPI document 2.9.0. Not confirmed: that every bank keeps upper and lower case apart.
 */
import { isPayoutReference, partsOf } from '../kit/own-reference.ts';

const MARK = 'GW';
const FILLING = 'x';
const MOST_DIGITS = 16;

/** 26 to 35 characters; a txid and the id of a devolução alike. */
export function identifierOf(reference: string): string {
  if (isPayoutReference(reference)) return reference;
  const { transactionId, random } = partsOf(reference);
  return `${MARK}${transactionId.padStart(MOST_DIGITS, FILLING)}${random}`;
}

/** Undefined: not one of ours. */
export function referenceOf(identifier: string): string | undefined {
  if (isPayoutReference(identifier)) return identifier;
  const [, filled, letters] = /^GW(x*\d{1,16})([A-Za-z0-9]{8})$/.exec(identifier) ?? [];
  if (filled === undefined || filled.length !== MOST_DIGITS) return undefined;
  return `${filled.replaceAll(FILLING, '')}-${letters}`;
}

/**
 * Converts our reference to STP's fields and back. A claveRastreo has letters and digits only, at most 30, so the reference
 * loses its dash. Not confirmed: that STP and the banks distinguish upper and lower case, and return a claveRastreo unchanged.
 */
import { createHash } from 'node:crypto';
import { isPayoutReference, partsOf, withDash, withoutDash } from '../kit/own-reference.ts';

const MOST_NUMBER = 9_999_999;

/** Returns the claveRastreo and the folioOrigen of the order. */
export function trackingKeyOf(reference: string): string {
  return withoutDash(reference);
}

/** Returns undefined if no order of ours can have this key. */
export function referenceOf(trackingKey: string): string | undefined {
  return withDash(trackingKey);
}

/** Returns the referenciaNumerica: 1 to 7 digits and never zero. It appears only on the recipient's statement. */
export function numericReferenceOf(reference: string): string {
  const number = isPayoutReference(reference)
    ? createHash('sha256').update(reference).digest().readUInt32BE()
    : Number(partsOf(reference).transactionId);
  return String((number % MOST_NUMBER) + 1);
}

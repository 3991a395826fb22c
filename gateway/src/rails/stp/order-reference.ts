/**
 * Our reference of an order as STP carries it: a claveRastreo has letters and digits only, at most 30, so a reference that has
 * a dash goes without it.
 * Not confirmed: that STP and the banks keep upper and lower case apart, and give a claveRastreo back as it was sent.
 */
import { createHash } from 'node:crypto';
import { isPayoutReference, partsOf, withDash, withoutDash } from '../kit/own-reference.ts';

const MOST_NUMBER = 9_999_999;

/** The claveRastreo and the folioOrigen of the order. */
export function trackingKeyOf(reference: string): string {
  return withoutDash(reference);
}

/** Undefined: no order of ours has such a key. */
export function referenceOf(trackingKey: string): string | undefined {
  return withDash(trackingKey);
}

/** The referenciaNumerica, for the recipient's statement only: 1 to 7 digits and never zero. */
export function numericReferenceOf(reference: string): string {
  const number = isPayoutReference(reference)
    ? createHash('sha256').update(reference).digest().readUInt32BE()
    : Number(partsOf(reference).transactionId);
  return String((number % MOST_NUMBER) + 1);
}

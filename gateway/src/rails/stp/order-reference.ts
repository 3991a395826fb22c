/**
 * Our reference of an order (transaction id, dash, eight letters or digits) as STP carries it: without the dash, since a
 * claveRastreo has letters and digits only.
 * Not confirmed: that STP and the banks keep upper and lower case apart, and give a claveRastreo back as it was sent.
 */
import { partsOf, withDash, withoutDash } from '../own-reference.ts';

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
  const { transactionId } = partsOf(reference);
  return String((Number(transactionId) % MOST_NUMBER) + 1);
}

/**
 * Our reference of an order (transaction id, dash, eight letters or digits) as STP carries it: without the dash, since a
 * claveRastreo has letters and digits only. The last eight characters are always the random part, so it can be read back.
 * Not confirmed: that STP and the banks keep upper and lower case apart, and give a claveRastreo back as it was sent.
 */
import { invariant } from '../../foundation/invariant.ts';

const REFERENCE = /^(\d{1,16})-([A-Za-z0-9]{8})$/;
const TRACKING_KEY = /^(\d{1,16})([A-Za-z0-9]{8})$/;
const MOST_NUMBER = 9_999_999;

/** The claveRastreo and the folioOrigen of the order. */
export function trackingKeyOf(reference: string): string {
  const [, transactionId, random] = partsOf(reference);
  return `${transactionId}${random}`;
}

/** Undefined: no order of ours has such a key. */
export function referenceOf(trackingKey: string): string | undefined {
  const [, transactionId, random] = TRACKING_KEY.exec(trackingKey) ?? [];
  return transactionId === undefined ? undefined : `${transactionId}-${random}`;
}

/** The referenciaNumerica, for the recipient's statement only: 1 to 7 digits and never zero. */
export function numericReferenceOf(reference: string): string {
  const [, transactionId] = partsOf(reference);
  return String((Number(transactionId) % MOST_NUMBER) + 1);
}

function partsOf(reference: string): RegExpExecArray {
  const parts = REFERENCE.exec(reference);
  invariant(parts, 'a reference is a transaction id and eight letters or digits');
  return parts;
}

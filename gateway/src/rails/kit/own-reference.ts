/**
 * The two formats of our references. A payout's is a P and 28 hexadecimal digits (domain/payouts/payout-order.ts). A form
 * attempt's is a transaction id of at most 16 digits, a dash, and eight letters or digits. Older payouts also had that format,
 * and keep it if they were sent under it. Some providers accept only letters and digits. The last eight characters of an
 * attempt's reference are always the random part, so the gateway can restore the dash. Pure.
 */
import { invariant } from '../../foundation/invariant.ts';

const OF_PAYOUT = /^P[0-9A-F]{28}$/;
const OF_ATTEMPT = /^(\d{1,16})-([A-Za-z0-9]{8})$/;
const OF_ATTEMPT_WITHOUT_DASH = /^(\d{1,16})([A-Za-z0-9]{8})$/;

/** Returns true if a gateway of this kind can have created the reference. */
export function isOwnReference(text: string): boolean {
  return isPayoutReference(text) || OF_ATTEMPT.test(text);
}

/** True for a reference that the gateway derives from its payout. It contains no transaction id. */
export function isPayoutReference(text: string): boolean {
  return OF_PAYOUT.test(text);
}

/** Returns the parts of an attempt's reference. */
export function partsOf(reference: string): { readonly transactionId: string; readonly random: string } {
  const [, transactionId, random] = OF_ATTEMPT.exec(reference) ?? [];
  invariant(transactionId && random, 'reference is not a transaction id, a dash and eight letters or digits');
  return { transactionId, random };
}

export function withoutDash(reference: string): string {
  if (isPayoutReference(reference)) return reference;
  const { transactionId, random } = partsOf(reference);
  return transactionId + random;
}

/** Returns undefined if the reference is not ours. */
export function withDash(text: string): string | undefined {
  if (isPayoutReference(text)) return text;
  const [, transactionId, random] = OF_ATTEMPT_WITHOUT_DASH.exec(text) ?? [];
  return transactionId === undefined ? undefined : `${transactionId}-${random}`;
}

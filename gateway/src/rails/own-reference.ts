/**
 * Our reference of whatever a rail is asked for: a transaction id of at most 16 digits, a dash, eight letters or digits. Some
 * providers take letters and digits alone; the last eight are always the random part, so the dash can be put back. Pure.
 */
import { invariant } from '../foundation/invariant.ts';

const REFERENCE = /^(\d{1,16})-([A-Za-z0-9]{8})$/;
const WITHOUT_DASH = /^(\d{1,16})([A-Za-z0-9]{8})$/;

/** Whether a gateway like this one can have made it. */
export function isOwnReference(text: string): boolean {
  return REFERENCE.test(text);
}

export function partsOf(reference: string): { readonly transactionId: string; readonly random: string } {
  const [, transactionId, random] = REFERENCE.exec(reference) ?? [];
  invariant(transactionId && random, 'a reference is a transaction id, a dash, eight letters or digits');
  return { transactionId, random };
}

export function withoutDash(reference: string): string {
  const { transactionId, random } = partsOf(reference);
  return transactionId + random;
}

/** Undefined: none of ours. */
export function withDash(text: string): string | undefined {
  const [, transactionId, random] = WITHOUT_DASH.exec(text) ?? [];
  return transactionId === undefined ? undefined : `${transactionId}-${random}`;
}

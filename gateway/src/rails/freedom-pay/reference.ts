/**
 * Converts our reference to Freedom Pay's pg_order_id and back. Their pages disagree about its form (a number, letters
 * and digits, a UUID in an example; at most 50 characters), so the rail sends only letters and digits.
 */
import { withDash, withoutDash } from '../kit/own-reference.ts';

export function orderIdOf(reference: string): string {
  return withoutDash(reference);
}

/** Returns undefined if the id is not ours, for example of a payout made in their cabinet. */
export function referenceOf(orderId: string): string | undefined {
  return withDash(orderId);
}

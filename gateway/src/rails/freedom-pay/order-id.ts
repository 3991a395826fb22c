/**
 * Our reference as Freedom Pay's pg_order_id. Their pages disagree about what it may be (a number, letters and digits, a UUID
 * in an example; at most 50 characters), so it is sent as letters and digits alone, and read back.
 */
import { withDash, withoutDash } from '../kit/own-reference.ts';

export function orderIdOf(reference: string): string {
  return withoutDash(reference);
}

/** Undefined: none of ours, such as a payout that somebody made in their cabinet. */
export function referenceOf(orderId: string): string | undefined {
  return withDash(orderId);
}

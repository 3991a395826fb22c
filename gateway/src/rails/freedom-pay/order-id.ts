/**
 * Our reference as Freedom Pay's pg_order_id. Their pages disagree about what it may be (a number, letters and digits, a UUID
 * in an example; at most 50 characters), so it is sent as letters and digits alone, and read back.
 */
const REFERENCE = /^(\d{1,16})-([A-Za-z0-9]{8})$/;
const ORDER_ID = /^(\d{1,16})([A-Za-z0-9]{8})$/;

export function orderIdOf(reference: string): string {
  return reference.replace(REFERENCE, '$1$2');
}

/** Undefined: none of ours, such as a payout that somebody made in their cabinet. */
export function referenceOf(orderId: string): string | undefined {
  return ORDER_ID.test(orderId) ? orderId.replace(ORDER_ID, '$1-$2') : undefined;
}

/**
 * A table of WayForPay's reason codes about a request, as opposed to the outcome of an order. Pure. vocabulary.ts has
 * the source of the codes.
 */

/** An order with this reference exists. */
export const DUPLICATE = '1112';
export const NO_SUCH_ORDER = '1127';

/** A wrong signature, a transaction that our account may not request, or an unknown account. The operator must correct it. */
const CREDENTIALS: ReadonlySet<string> = new Set(['1113', '1117', '1121']);

export function isCredentialReason(reasonCode: string): boolean {
  return CREDENTIALS.has(reasonCode);
}

/** About the request, never about an order's outcome, whatever accompanies it. */
export function isAboutRequest(reasonCode: string): boolean {
  return reasonCode === DUPLICATE || reasonCode === NO_SUCH_ORDER || CREDENTIALS.has(reasonCode);
}

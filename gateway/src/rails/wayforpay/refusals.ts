/**
 * A table of WayForPay's reason codes about a request, as opposed to the outcome of an order. Pure. vocabulary.ts has
 * the source of the codes.
 */

/** WayForPay's code for an order whose reference exists already. */
export const DUPLICATE = '1112';
export const NO_SUCH_ORDER = '1127';

/**
 * Codes for a wrong signature, a transaction that our account may not request, and an unknown account. The operator must
 * correct the cause.
 */
const CREDENTIALS: ReadonlySet<string> = new Set(['1113', '1117', '1121']);

export function isCredentialReason(reasonCode: string): boolean {
  return CREDENTIALS.has(reasonCode);
}

/** About the request, never about an order's outcome, whatever accompanies it. */
export function isAboutRequest(reasonCode: string): boolean {
  return reasonCode === DUPLICATE || reasonCode === NO_SUCH_ORDER || CREDENTIALS.has(reasonCode);
}

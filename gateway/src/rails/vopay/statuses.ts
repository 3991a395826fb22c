/**
 * Tables of VoPay's statuses of a transaction, and of the reasons why a money request ended. payout-endings.ts has
 * those of payouts.
 *
 * Confirmed by VoPay's description of its interface: requested, pending, successful, failed, cancelled for a money
 * request. Confirmed by its list of webhook events: in progress, sent, request fulfilled, received, cancellation
 * requested, settled, declined, complete for transactions of any kind. Confirmed by its guide: VoPay sends a money
 * request to the payer's bank after `pending`; a reason begins with its code (`901 - NSF`). Confirmed by its pages: the
 * Interac codes 0 to 8, and those of returns. Not confirmed: the final status of a money request that the payer
 * declined or let expire, so the table accepts each. Not confirmed: whether `received` is about money, so it does not
 * count as a payment.
 */
import type { PaymentRefusal } from '../../domain/payments/payment-rail.ts';

/**
 * - `waiting`: for the payer, or for the recipient of a payout. `unsent`: before they have the message.
 * - `agreed`: they accepted, and the money is in transit.
 * - `cancelling`: we requested its cancellation. They may still have accepted first.
 */
export type Stage = 'unsent' | 'waiting' | 'agreed' | 'cancelling' | 'succeeded' | 'ended';

const STAGES: ReadonlyMap<string, Stage> = new Map<string, Stage>([
  ['pending', 'unsent'],
  ['requested', 'waiting'],
  ['sent', 'waiting'],
  ['in progress', 'waiting'],
  ['request fulfilled', 'agreed'],
  ['received', 'agreed'],
  ['cancellation requested', 'cancelling'],
  ['successful', 'succeeded'],
  ['settled', 'succeeded'],
  ['complete', 'succeeded'],
  ['completed', 'succeeded'],
  ['failed', 'ended'],
  ['declined', 'ended'],
  ['cancelled', 'ended'],
  ['expired', 'ended'],
]);

/** Undefined for an unknown status. */
export function stageOf(status: string): Stage | undefined {
  return STAGES.get(normalised(status));
}

export interface Ending {
  readonly refusal: PaymentRefusal;
  readonly canRetry: boolean;
}

const BY_CODE: ReadonlyMap<string, Ending> = new Map<string, Ending>([
  ['1', { refusal: 'cancelled_by_payer', canRetry: true }],
  ['2', { refusal: 'authentication_failed', canRetry: true }],
  ['3', { refusal: 'expired', canRetry: true }],
  ['5', { refusal: 'payer_details', canRetry: true }],
  ['7', { refusal: 'declined', canRetry: true }],
  ['8', { refusal: 'payer_details', canRetry: true }],
  ['901', { refusal: 'insufficient_funds', canRetry: true }],
  ['908', { refusal: 'insufficient_funds', canRetry: true }],
  ['988', { refusal: 'cancelled_by_payer', canRetry: true }],
]);

const BY_STATUS: ReadonlyMap<string, Ending> = new Map<string, Ending>([
  ['declined', { refusal: 'cancelled_by_payer', canRetry: true }],
  ['expired', { refusal: 'expired', canRetry: true }],
]);

/** `isLate`: the payer's time has ended, which explains a cancellation without a reason. */
export function endingOf(status: string, failureReason: string, isLate: boolean): Ending {
  const [, code = ''] = /^\s*(\d{1,3})\b/.exec(failureReason) ?? [];
  const known = BY_CODE.get(code) ?? BY_STATUS.get(normalised(status));
  if (known) return known;
  // The gateway cancels when the payer's time has ended, or when the payer gave up.
  const cancelled = isLate ? 'expired' : 'cancelled_by_payer';
  return { refusal: normalised(status) === 'cancelled' ? cancelled : 'declined', canRetry: true };
}

/** In lower case, with single spaces. */
export function normalised(status: string): string {
  return status
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, ' ');
}

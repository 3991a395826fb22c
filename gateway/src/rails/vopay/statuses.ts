/**
 * VoPay's words for where a transaction stands and why a money request ended, as tables. Why a payout did is in
 * payout-endings.ts.
 *
 * Confirmed by VoPay's description of its interface: requested, pending, successful, failed, cancelled for a money request;
 * by its list of webhook events: in progress, sent, request fulfilled, received, cancellation requested, settled, declined,
 * complete for transactions of any kind. By its guide: a money request is sent to the payer's bank after `pending`; a reason
 * begins with its code (`901 - NSF`). By its pages: the Interac codes 0 to 8, and those of returns. Not confirmed: which of
 * the words a money request ends with that the payer declined or left to expire (so each is taken), and whether `received`
 * speaks of money (so it is not taken for money).
 */
import type { PaymentRefusal } from '../../domain/payments/payment-rail.ts';

/**
 * - `waiting`: for the payer, or for the recipient of a payout, with `unsent` before they have the message.
 * - `agreed`: they have accepted, and the money is on its way.
 * - `cancelling`: it was called back; they may still have been first.
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

/** Undefined: a word that nobody has told us of. */
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

/** `isLate`: the payer's time is over, which is then why something was cancelled that names no reason. */
export function endingOf(status: string, failureReason: string, isLate: boolean): Ending {
  const [, code = ''] = /^\s*(\d{1,3})\b/.exec(failureReason) ?? [];
  const known = BY_CODE.get(code) ?? BY_STATUS.get(normalised(status));
  if (known) return known;
  // We call it back when the payer's time is over, or when they gave up.
  const cancelled = isLate ? 'expired' : 'cancelled_by_payer';
  return { refusal: normalised(status) === 'cancelled' ? cancelled : 'declined', canRetry: true };
}

/** In small letters, with single spaces. */
export function normalised(status: string): string {
  return status
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, ' ');
}

/** Tables of VoPay's statuses, and of the reasons why a money request or a bulk payout ended. README.md has the sources. */
import type { PaymentRefusal } from '../../domain/payments/payment-rail.ts';
import type { BlockedReason } from '../../domain/payouts/payout.ts';

/**
 * - `unsent`: the payer, or the recipient of a payout, does not have the message yet.
 * - `waiting`: they have the message and have not accepted.
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

/** Returns undefined for an unknown status. */
export function stageOf(status: string): Stage | undefined {
  return STAGES.get(normalised(status));
}

interface RequestEnding {
  readonly refusal: PaymentRefusal;
  readonly canRetry: boolean;
}

const REQUEST_ENDINGS: ReadonlyMap<string, RequestEnding> = new Map<string, RequestEnding>([
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

const REQUEST_ENDING_BY_STATUS: ReadonlyMap<string, RequestEnding> = new Map<string, RequestEnding>([
  ['declined', { refusal: 'cancelled_by_payer', canRetry: true }],
  ['expired', { refusal: 'expired', canRetry: true }],
]);

/** `isLate` is true once the payer's time has ended, which explains a cancellation without a reason. */
export function requestEndingOf(status: string, failureReason: string, isLate: boolean): RequestEnding {
  const [, code = ''] = /^\s*(\d{1,3})\b/.exec(failureReason) ?? [];
  const known = REQUEST_ENDINGS.get(code) ?? REQUEST_ENDING_BY_STATUS.get(normalised(status));
  if (known) return known;
  // The gateway cancels when the payer's time has ended, or when the payer gave up.
  const cancelled = isLate ? 'expired' : 'cancelled_by_payer';
  return { refusal: normalised(status) === 'cancelled' ? cancelled : 'declined', canRetry: true };
}

export interface PayoutEnding {
  readonly blockedReason: BlockedReason;
  /** The reason in our own wording. */
  readonly reason: string;
  /** True if the recipient never received the money. */
  readonly isUndeposited: boolean;
}

type Known = readonly [blockedReason: BlockedReason, says: string];

/** The endings of a payout by Interac code. */
export const PAYOUT_ENDINGS: ReadonlyMap<string, Known> = new Map<string, Known>([
  ['0', ['cancelled', 'it was cancelled at VoPay']],
  ['1', ['unspecified', 'the recipient declined it']],
  ['2', ['invalid_beneficiary', 'the recipient gave a wrong security answer']],
  ['3', ['expired', 'no one deposited it in time']],
  ['4', ['limit_or_risk', 'Interac stopped it']],
  ['5', ['invalid_beneficiary', 'its message could not be delivered']],
  ['6', ['cancelled', 'VoPay cancelled it by hand']],
  ['7', ['bank_declined', 'the recipient’s bank does not accept it']],
  ['8', ['invalid_beneficiary', 'there is no such account']],
]);

const PAYOUT_ENDING_BY_STATUS: ReadonlyMap<string, Known> = new Map<string, Known>([
  ['declined', ['unspecified', 'the recipient declined it']],
  ['expired', ['expired', 'no one deposited it in time']],
  ['cancelled', ['cancelled', 'it was cancelled']],
]);

/** `status` is a final status, normalised. */
export function payoutEndingOf(status: string, failureReason: string): PayoutEnding {
  const [, number = ''] = /^\s*(\d{1,3})\b/.exec(failureReason) ?? [];
  const known = PAYOUT_ENDINGS.get(number) ?? PAYOUT_ENDING_BY_STATUS.get(status);
  const [blockedReason, says] = known ?? ['unspecified', 'it failed'];
  return {
    blockedReason,
    reason: `VoPay reports ${[status, number].join(' ').trim()}: ${says}`,
    isUndeposited: known !== undefined,
  };
}

/** Returns the text in lower case, with single spaces. */
export function normalised(status: string): string {
  return status
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, ' ');
}

/** A payout: its accepted content and its state. */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { invariant } from '../../foundation/invariant.ts';
import type { Money } from '../../foundation/money.ts';
import type { PayoutPosting } from '../ledger/journals.ts';
import type { PayoutPurpose } from '../methods/payout-purpose.ts';

export const PAYOUT_STATES = ['pending', 'success', 'blocked'] as const;
export type PayoutState = (typeof PAYOUT_STATES)[number];

/** The final state of a payout as the API reports it: status, code and text (decision 21). */
interface PayoutResult {
  readonly status: string;
  readonly code: string;
  readonly text: string;
}

/** Why a payout is blocked, and how merchants see it. Only this table assigns numbers to reasons. */
export const BLOCKED_REASONS = {
  unspecified: { status: 'Blocked', code: '50', text: 'Blocked' },
  bank_declined: { status: 'Blocked', code: '51', text: 'Declined by the bank' },
  invalid_beneficiary: { status: 'Blocked', code: '52', text: 'Wrong recipient' },
  limit_or_risk: { status: 'Blocked', code: '53', text: 'Limit or risk' },
  expired: { status: 'Blocked', code: '54', text: 'Expired' },
  cancelled: { status: 'Blocked', code: '55', text: 'Cancelled' },
} as const satisfies Readonly<Record<string, PayoutResult>>;

export type BlockedReason = keyof typeof BLOCKED_REASONS;

const UNBLOCKED_RESULTS = {
  success: { status: 'Success', code: '0', text: 'Completed' },
  pending: { status: 'Pending', code: '40', text: 'Queued' },
} as const satisfies Readonly<Record<Exclude<PayoutState, 'blocked'>, PayoutResult>>;

/** All results of payouts, by code. */
export const PAYOUT_RESULTS: readonly PayoutResult[] = [
  ...Object.values(UNBLOCKED_RESULTS),
  ...Object.values(BLOCKED_REASONS),
];

export function resultOf({ state, blockedReason }: Pick<Payout, 'state' | 'blockedReason'>): PayoutResult {
  if (state !== 'blocked') return UNBLOCKED_RESULTS[state];
  invariant(blockedReason, 'blocked payout has no reason');
  return BLOCKED_REASONS[blockedReason];
}

/** The events of an accepted payout; payout-transitions.ts defines their effects. `lapsed`: its approval expired. */
export type PayoutEvent = 'executed' | 'declined' | 'expired' | 'cancelled' | 'reversed' | 'approved' | 'lapsed';

/**
 * The stage of a pending payout.
 * - `awaiting_approval`: a user must approve it first. No bank has received it, and no worker sends it.
 * - `queued`: no bank has received it.
 * - `sending`: an attempt is committed. A worker is sending it, or was when its process died.
 * - `at_bank`: the bank has accepted it and has not decided.
 * - `unknown`: the gateway sent it and got no usable response. The worker queries the bank.
 */
export const PAYOUT_STAGES = ['awaiting_approval', 'queued', 'sending', 'at_bank', 'unknown'] as const;
export type PayoutStage = (typeof PAYOUT_STAGES)[number];

/** The stages in which no bank has the payout, unless a restored database lost it. */
export const UNSENT_STAGES: readonly PayoutStage[] = ['queued', 'awaiting_approval'];

export function isUnsent(stage: PayoutStage | undefined): boolean {
  return stage !== undefined && UNSENT_STAGES.includes(stage);
}

export interface Payout {
  readonly merchantId: MerchantId;
  /** The merchant's own id. It stays unique per merchant indefinitely. */
  readonly payoutId: string;
  /** An id that is unique across the gateway, at most 2^53 − 1. */
  readonly transactionId: number;
  readonly purpose: PayoutPurpose;
  /** The number of the API's method. Null for one of the gateway's own payouts. */
  readonly method: number | null;
  readonly money: Money;
  /** The amount as the merchant wrote it. */
  readonly amountText: string;
  /** The fee in minor units of the payout's currency. */
  readonly fee: bigint;
  readonly rail: string;
  readonly beneficiary: StoredBeneficiary;
  /** A keyed hash of the request's content. It distinguishes a repeat from a different request with the same id. */
  readonly contentHash: Buffer;
  readonly state: PayoutState;
  /** Null unless the payout is blocked. */
  readonly blockedReason: BlockedReason | null;
  readonly acceptedAt: Instant;
  readonly finishedAt: Instant | null;
}

/** A payout that a merchant ordered. */
export interface MerchantPayout extends Payout {
  readonly purpose: 'payout';
  readonly method: number;
}

/** The beneficiary as the database stores it. The vault stores the secret fields under `vaultToken`. */
interface StoredBeneficiary {
  /** The displayable account: the card's mask, or the account itself. */
  readonly accountShown: string;
  /** The request's other beneficiary fields by their API names (`full_name`, `customs_ifsc`…), without secrets. */
  readonly fields: Readonly<Record<string, string>>;
  /** The vault record of the secret fields. Null if the method has no secret fields. */
  readonly vaultToken: string | null;
}

export function postingOf(payout: Payout): PayoutPosting {
  const { merchantId, payoutId, money, fee, rail, purpose } = payout;
  const source = purpose === 'return' ? 'suspense' : 'available';
  return { merchantId, payoutId, currency: money.currency, amount: money.minor, fee, rail, source };
}

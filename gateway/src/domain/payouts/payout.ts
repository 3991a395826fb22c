/** A payout: what was accepted, and where it stands. */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Money } from '../../foundation/money.ts';
import type { PayoutPosting } from '../ledger/journals.ts';

export const PAYOUT_STATES = ['pending', 'success', 'blocked'] as const;
export type PayoutState = (typeof PAYOUT_STATES)[number];

/** The interface's words for the states (interface, States and transitions). */
export const PAYOUT_STATUSES: Readonly<Record<PayoutState, string>> = {
  pending: 'Pending',
  success: 'Success',
  blocked: 'Blocked',
};

/** What can happen to a payout that the gateway accepted; payout-transitions.ts has what each does. */
export type PayoutEvent = 'executed' | 'declined' | 'expired' | 'cancelled' | 'reversed';

/** The codes of the interface: `0` success, `40` pending, the fifties say why a payout is blocked (decisions, Answers). */
export const PAYOUT_CODES = {
  '0': 'Completed',
  '40': 'Queued',
  '50': 'Blocked',
  '51': 'Declined by the bank',
  '52': 'Wrong recipient',
  '53': 'Limit or risk',
  '54': 'Expired',
  '55': 'Cancelled',
} as const;

export type PayoutCode = keyof typeof PAYOUT_CODES;
export type BlockedCode = Exclude<PayoutCode, '0' | '40'>;

/**
 * Where a pending payout is on its way.
 * - `queued`: no bank was told.
 * - `sending`: an attempt is committed; the bank is being told, or was when the process died.
 * - `at_bank`: the bank has it and has not decided.
 * - `unknown`: the bank was told and gave no usable answer; it is being asked.
 */
export type PayoutStage = 'queued' | 'sending' | 'at_bank' | 'unknown';

/**
 * No method of the wire: money in suspense that goes back to its originator, by the rail that it came by. It is sent,
 * asked about and posted like any payout, and no merchant is told (deposits/return-transfer.ts).
 */
export const RETURN_METHOD = 0;

/**
 * No method of the wire: a payment of the hosted form that is given back, by the rail that it came by, out of the merchant's
 * own money (payments/refund-deposit.ts). No number of three digits, so that no request can name it.
 */
export const REFUND_METHOD = 1_000;

/** The gateway's own payouts: no merchant asked for them, so they stand in no merchant's list and have no callback of a payout. */
export const OWN_METHODS: ReadonlySet<number> = new Set([RETURN_METHOD, REFUND_METHOD]);

export interface Payout {
  readonly merchantId: MerchantId;
  /** The merchant's own id, unique per merchant for ever. */
  readonly payoutId: string;
  /** Unique across the gateway, at most 2^53 − 1. */
  readonly transactionId: number;
  readonly method: number;
  readonly money: Money;
  /** The amount as the merchant wrote it. */
  readonly amountText: string;
  /** Minor units, in the payout's currency. */
  readonly fee: bigint;
  readonly rail: string;
  readonly beneficiary: StoredBeneficiary;
  /** Keyed hash of the request's content: tells a repeated request from another one under the same id. */
  readonly contentHash: Buffer;
  readonly state: PayoutState;
  readonly code: PayoutCode;
  readonly acceptedAt: Instant;
  readonly finishedAt: Instant | null;
}

/** The beneficiary as it lies in the database: what is secret is in the vault, under `vaultToken`. */
export interface StoredBeneficiary {
  /** What may be shown of the account: the card's first six and last four digits, or the account itself. */
  readonly accountShown: string;
  /** The request's other beneficiary fields, by their wire names (`full_name`, `customs_ifsc`…). Nothing secret. */
  readonly fields: Readonly<Record<string, string>>;
  /** Names the vault record that holds the secret fields; null when the method has none. */
  readonly vaultToken: string | null;
}

export function postingOf(payout: Payout): PayoutPosting {
  const { merchantId, payoutId, money, fee, rail, method } = payout;
  const source = method === RETURN_METHOD ? 'suspense' : 'available';
  return { merchantId, payoutId, currency: money.currency, amount: money.minor, fee, rail, source };
}

/** A payout: its accepted content and its state. */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Money } from '../../foundation/money.ts';
import type { PayoutPosting } from '../ledger/journals.ts';
import type { PayoutPurpose } from '../methods/payout-purpose.ts';

export const PAYOUT_STATES = ['pending', 'success', 'blocked'] as const;
export type PayoutState = (typeof PAYOUT_STATES)[number];

/** The interface's words for the states (interface, States and transitions). */
export const PAYOUT_STATUSES: Readonly<Record<PayoutState, string>> = {
  pending: 'Pending',
  success: 'Success',
  blocked: 'Blocked',
};

/** The events of an accepted payout. payout-transitions.ts defines their effects. */
export type PayoutEvent = 'executed' | 'declined' | 'expired' | 'cancelled' | 'reversed';

/** The interface's codes: `0` success, `40` pending, `5x` the reason of a blocked payout (decisions, Answers). */
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
 * The stage of a pending payout.
 * - `queued`: no bank has it.
 * - `sending`: an attempt is committed. A worker sends it now, or did so when its process died.
 * - `at_bank`: the bank has it and has not decided.
 * - `unknown`: the gateway sent it and got no usable answer. The worker asks the bank.
 */
export type PayoutStage = 'queued' | 'sending' | 'at_bank' | 'unknown';

export interface Payout {
  readonly merchantId: MerchantId;
  /** The merchant's own id. It stays unique per merchant for ever. */
  readonly payoutId: string;
  /** Unique across the gateway, at most 2^53 − 1. */
  readonly transactionId: number;
  readonly purpose: PayoutPurpose;
  /** The number of the wire's method. Null: the gateway's own payout. */
  readonly method: number | null;
  readonly money: Money;
  /** The amount as the merchant wrote it. */
  readonly amountText: string;
  /** Minor units, in the payout's currency. */
  readonly fee: bigint;
  readonly rail: string;
  readonly beneficiary: StoredBeneficiary;
  /** Keyed hash of the request's content. It distinguishes a repeat from another request under the same id. */
  readonly contentHash: Buffer;
  readonly state: PayoutState;
  readonly code: PayoutCode;
  readonly acceptedAt: Instant;
  readonly finishedAt: Instant | null;
}

/** A payout that a merchant ordered. */
export interface MerchantPayout extends Payout {
  readonly purpose: 'payout';
  readonly method: number;
}

/** The beneficiary as the database stores it. The vault holds the secret fields, under `vaultToken`. */
export interface StoredBeneficiary {
  /** The displayable account: the card's mask, or the account itself. */
  readonly accountShown: string;
  /** The request's other beneficiary fields by their wire names (`full_name`, `customs_ifsc`…), without secrets. */
  readonly fields: Readonly<Record<string, string>>;
  /** The vault record of the secret fields; null if the method has none. */
  readonly vaultToken: string | null;
}

export function postingOf(payout: Payout): PayoutPosting {
  const { merchantId, payoutId, money, fee, rail, purpose } = payout;
  const source = purpose === 'return' ? 'suspense' : 'available';
  return { merchantId, payoutId, currency: money.currency, amount: money.minor, fee, rail, source };
}

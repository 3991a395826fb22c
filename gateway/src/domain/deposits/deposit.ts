/** A deposit: what a payer was asked for, and what came of it. */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Money } from '../../foundation/money.ts';
import { defineTransitions } from '../../foundation/transitions.ts';
import type { PaymentType } from '../methods/payment-type.ts';

/** `created`: not yet with a provider. `pending`: the payer can pay. */
export const DEPOSIT_STATES = ['created', 'pending', 'success', 'fail'] as const;
export type DepositState = (typeof DEPOSIT_STATES)[number];

/** Why a deposit failed. `displaced`: its order went to a request that goes before it (displace-deposit.ts). */
export type FailReason = 'declined' | 'cancelled' | 'expired' | 'displaced';

export type DepositEvent = 'opened' | 'received' | FailReason;

/** Nothing leaves a final state; money that comes later has a record of its own (receive-transfer.ts). */
export const depositTransitions = defineTransitions<DepositState, DepositEvent>({
  created: { opened: 'pending', declined: 'fail', cancelled: 'fail', expired: 'fail' },
  pending: { received: 'success', declined: 'fail', cancelled: 'fail', expired: 'fail', displaced: 'fail' },
  success: {},
  fail: {},
});

export interface Payer {
  readonly userId: string;
  readonly firstName: string;
  readonly lastName: string;
}

export interface Deposit {
  readonly merchantId: MerchantId;
  /** Unique across the gateway, at most 2^53 − 1. */
  readonly transactionId: number;
  readonly uuid: string;
  /** The merchant's own id, unique per merchant for ever. */
  readonly orderId: string;
  readonly paymentType: PaymentType;
  /** What was asked for. */
  readonly money: Money;
  readonly amountText: string;
  readonly payer: Payer;
  readonly rail: string;
  /** What the payer pays to: a CLABE. */
  readonly payTo: string;
  readonly beneficiary: string;
  readonly state: DepositState;
  readonly failReason: FailReason | null;
  /** What was credited for it before the fee, in minor units; zero until it succeeds. */
  readonly received: bigint;
  /** Minor units. */
  readonly fee: bigint;
  readonly createdAt: Instant;
  /** What the payer is told. */
  readonly expiresAt: Instant;
  /** Until when money still counts; after it the deposit fails. */
  readonly closesAt: Instant;
  readonly finishedAt: Instant | null;
  /** The transaction to which its order went; null where it did not, and for one that failed so before this was recorded. */
  readonly displacedBy: number | null;
}

export function isDisplaced({ displacedBy, failReason }: Pick<Deposit, 'displacedBy' | 'failReason'>): boolean {
  return displacedBy !== null || failReason === 'displaced';
}

export interface DepositKey {
  readonly merchantId: MerchantId;
  readonly transactionId: number;
}

export interface TransferId {
  readonly rail: string;
  /** What the rail tells transfers apart by; the same transfer told twice has the same key. */
  readonly transferKey: string;
}

/** A transfer that came in, as its rail tells of it. */
export interface IncomingTransfer extends TransferId {
  readonly payTo: string;
  readonly money: Money;
  readonly originator: Originator;
  /** When the bank booked it. */
  readonly bookedAt: Instant;
  /**
   * Present: it brings back money that an order of ours took out, so it pays no deposit. The reference that the order
   * went out under; empty where the bank does not say which it was.
   */
  readonly returnOf?: string;
  /** True: the provider shows that another person paid than the one who was asked. */
  readonly isFromAnother?: boolean;
}

/** Who sent a transfer, as their bank says. Empty where it does not. */
export interface Originator {
  readonly name: string;
  /** Once recorded, of a card only the first six and last four digits. */
  readonly account: string;
  readonly institution: string;
  readonly concept: string;
  readonly trackingKey: string;
  /** Names the vault record that holds the card while its money is held. */
  readonly cardToken?: string;
}

/**
 * Why a transfer is not simply the deposit's money: in another currency, less or more than was asked for, after the deposit
 * had failed, after it had been paid, by another person than the one who was asked, to an address that stands for no
 * deposit, or for a deposit whose order went to another request (before or after the money came).
 */
export type Mismatch =
  | 'other_currency'
  | 'short'
  | 'over'
  | 'late'
  | 'twice'
  | 'other_payer'
  | 'unmatched'
  | 'displaced';

/** Held under every mismatch_policy. */
export const ALWAYS_HELD: ReadonlySet<Mismatch> = new Set(['other_currency', 'unmatched', 'displaced']);

/**
 * - `credited`: the merchant's.
 * - `held`: in suspense, for the operator.
 * - `returning`, `returned`: on its way back to its originator, and there.
 * - `given_up`: held here by mistake, and recorded anew for the merchant whose it is.
 * - `sent_back`: the bank was told to return it at once; it never became ours.
 * - `taken_back`: its provider took all of it back while it was held.
 */
export type TransferState = 'credited' | 'held' | 'returning' | 'returned' | 'given_up' | 'sent_back' | 'taken_back';

export type FoundBy = 'notification' | 'reconciliation';

export interface RecordedTransfer extends IncomingTransfer {
  readonly merchantId: MerchantId;
  /** Null: it stands for no deposit. */
  readonly transactionId: number | null;
  readonly mismatch: Mismatch | null;
  readonly state: TransferState;
  /** Minor units: the amount less what its provider took back while it was held. */
  readonly kept: bigint;
  readonly foundBy: FoundBy;
  readonly recordedAt: Instant;
  readonly resolvedAt: Instant | null;
  /** What the operator decided about held money, and why. */
  readonly resolution: string;
  /** The payout of the same merchant that takes it back, the latest one. */
  readonly returnId: string | null;
}

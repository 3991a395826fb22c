/** A deposit: the amount requested from a payer, and its result. */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Money } from '../../foundation/money.ts';
import type { PaymentType } from '../methods/payment-type.ts';

/** `created`: no provider knows it yet. `pending`: the payer can pay. deposit-transitions.ts defines the transitions. */
export const DEPOSIT_STATES = ['created', 'pending', 'success', 'fail'] as const;
export type DepositState = (typeof DEPOSIT_STATES)[number];

/** Why a deposit failed. `displaced`: a request with precedence took its order (plan-displacement.ts). */
export type FailReason = 'declined' | 'cancelled' | 'expired' | 'displaced';

export interface Payer {
  readonly userId: string;
  readonly firstName: string;
  readonly lastName: string;
}

export interface Deposit {
  readonly merchantId: MerchantId;
  /** An id that is unique across the gateway, at most 2^53 − 1. */
  readonly transactionId: number;
  readonly uuid: string;
  /** The merchant's own id. It stays unique per merchant indefinitely. */
  readonly orderId: string;
  readonly paymentType: PaymentType;
  /** The requested amount. */
  readonly money: Money;
  readonly amountText: string;
  readonly payer: Payer;
  readonly rail: string;
  /** The address to which the payer pays, such as a CLABE. */
  readonly payTo: string;
  readonly beneficiary: string;
  readonly state: DepositState;
  readonly failReason: FailReason | null;
  /** The amount credited before the fee, in minor units. Zero until it succeeds. */
  readonly received: bigint;
  /** The fee in minor units. */
  readonly fee: bigint;
  readonly createdAt: Instant;
  /** The end of the payer's time. */
  readonly expiresAt: Instant;
  /** The end of the grace period. The deposit then fails. */
  readonly closesAt: Instant;
  readonly finishedAt: Instant | null;
  /** The transaction that now has its order. Null if it kept the order, or lost it before the gateway recorded this. */
  readonly displacedBy: number | null;
}

/** Returns the times and the state of an unpaid deposit. */
export function unpaid(createdAt: Instant, validityMs: number, graceMs: number) {
  const expiresAt = createdAt + validityMs;
  return {
    state: 'pending',
    failReason: null,
    received: 0n,
    fee: 0n,
    createdAt,
    expiresAt,
    closesAt: expiresAt + graceMs,
    finishedAt: null,
    displacedBy: null,
  } as const;
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
  /** The rail's unique key of a transfer. A duplicate notification has the same key. */
  readonly transferKey: string;
}

/** An incoming transfer as its rail reports it. */
export interface IncomingTransfer extends TransferId {
  readonly payTo: string;
  readonly money: Money;
  readonly originator: Originator;
  /** When the bank booked it. */
  readonly bookedAt: Instant;
  /**
   * The reference of the outgoing order whose money the transfer returns. Empty if the bank does not name it. Such a transfer
   * pays no deposit.
   */
  readonly returnOf?: string;
  /** True if the provider shows that someone other than the expected payer paid. */
  readonly isFromAnother?: boolean;
}

/** The sender of a transfer as their bank names it. A field is empty if the bank does not fill it. */
export interface Originator {
  readonly name: string;
  /** The account. For a recorded card, only its mask. */
  readonly account: string;
  readonly institution: string;
  readonly concept: string;
  readonly trackingKey: string;
  /** The token of the vault record that contains the card while its money is held. */
  readonly cardToken?: string;
}

/**
 * Why a transfer is not simply its deposit's payment: a different currency, a shortfall, an overpayment, a late payment, a
 * duplicate payment, a different payer, an address without a deposit, or a deposit that lost its order (before or after the
 * payment).
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

/**
 * - `credited`: in the merchant's account.
 * - `held`: in suspense, for the operator.
 * - `returning`, `returned`: on its way back to its originator, or arrived there.
 * - `given_up`: held here by mistake, and recorded again for the right merchant.
 * - `sent_back`: the response to the bank rejected it, so it never became ours.
 * - `taken_back`: its provider reversed all of it while it was held.
 *
 * transfer-transitions.ts defines the transitions.
 */
export const TRANSFER_STATES = [
  'credited',
  'held',
  'returning',
  'returned',
  'given_up',
  'sent_back',
  'taken_back',
] as const;
export type TransferState = (typeof TRANSFER_STATES)[number];

/** How the gateway learned of the money. `answer`: from the provider's response to a call or a query about a form payment. */
export type FoundBy = 'notification' | 'reconciliation' | 'answer';

export interface RecordedTransfer extends IncomingTransfer {
  readonly merchantId: MerchantId;
  /** Null if its address belongs to no deposit. */
  readonly transactionId: number | null;
  readonly mismatch: Mismatch | null;
  readonly state: TransferState;
  /** The amount without the part that its provider reversed while it was held, in minor units. */
  readonly kept: bigint;
  readonly foundBy: FoundBy;
  readonly recordedAt: Instant;
  readonly resolvedAt: Instant | null;
  /** The operator's decision about held money, and its reason. */
  readonly resolution: string;
  /** The latest payout that returns it, of the same merchant. */
  readonly returnId: string | null;
}

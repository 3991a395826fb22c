/**
 * Changes after the result of a deposit. The deposit keeps its final state. Each adjustment is a separate record with
 * its money and its event (decision 30).
 */
import type { Instant } from '../../foundation/clock.ts';
import type { Money } from '../../foundation/money.ts';
import type { Payout } from '../payouts/payout.ts';

/** `debited`: the provider debited the money. The `_undone` kinds reverse the kind in their name. */
export type DepositAdjustmentKind = 'refunded' | 'refund_undone' | 'charged_back' | 'chargeback_undone' | 'debited';

/** A provider's report about a payment after its result. */
export interface DepositAdjustment {
  /** The payment: an attempt of this deposit, even if its money was credited to another deposit. */
  readonly transactionId: number;
  readonly attempt: number;
  readonly kind: DepositAdjustmentKind;
  /** Distinguishes adjustments of the same payment and kind. */
  readonly key: string;
  /** The amount that the provider reports. */
  readonly money: Money;
  /**
   * The part that moved money, in minor units. If it is less than the reported amount, the operator must investigate, unless
   * it was reversed.
   */
  readonly posted: bigint;
  /** The receipt that the provider names. Null if it names none. */
  readonly receiptKey: string | null;
  readonly at: Instant;
  readonly detail: string;
}

/** A refund that the operator ordered: a payout of the gateway through the rail of the payment. */
export interface DepositRefund {
  readonly attempt: number;
  readonly payout: Payout;
  readonly reason: string;
}

/** Maps each kind to the kind that reverses it or that it reverses. Both share one key. Null if there is none. */
export const COUNTERPARTS: Readonly<Record<DepositAdjustmentKind, DepositAdjustmentKind | null>> = {
  refunded: 'refund_undone',
  refund_undone: 'refunded',
  charged_back: 'chargeback_undone',
  chargeback_undone: 'charged_back',
  debited: null,
};

export const REVERSALS: ReadonlySet<DepositAdjustmentKind> = new Set(['refund_undone', 'chargeback_undone']);

/**
 * What came later than the result of a deposit. The deposit stays as it ended; each of these is a record of its own, with
 * its own money and its own event (decisions, States: nothing leaves a final state).
 */
import type { Instant } from '../../foundation/clock.ts';
import type { Money } from '../../foundation/money.ts';
import type { Payout } from '../payouts/payout.ts';

/** `debited`: the money was taken back; the `_undone` kinds: such a thing was undone. */
export type AdjustmentKind = 'refunded' | 'refund_undone' | 'charged_back' | 'chargeback_undone' | 'debited';

/** What a provider told of a payment after its result. */
export interface DepositAdjustment {
  /** The payment that it is about: an attempt of this deposit, even where its money was credited to another one. */
  readonly transactionId: number;
  readonly attempt: number;
  readonly kind: AdjustmentKind;
  /** Tells it from others of its payment and kind. */
  readonly key: string;
  /** As the provider says. */
  readonly money: Money;
  /** Minor units: what of it has moved money. Less than all: for the operator, unless it was undone. */
  readonly posted: bigint;
  /** The receipt that the provider names; null: it names none. */
  readonly receiptKey: string | null;
  readonly at: Instant;
  readonly detail: string;
}

/** A refund that the operator ordered: a payout of the gateway's own, by the rail that the payment came by. */
export interface DepositRefund {
  readonly attempt: number;
  readonly payout: Payout;
  readonly reason: string;
}

/** What undoes a kind, or is undone by it; they have one key. Null: nothing does. */
export const COUNTERPARTS: Readonly<Record<AdjustmentKind, AdjustmentKind | null>> = {
  refunded: 'refund_undone',
  refund_undone: 'refunded',
  charged_back: 'chargeback_undone',
  chargeback_undone: 'charged_back',
  debited: null,
};

export const UNDOINGS: ReadonlySet<AdjustmentKind> = new Set(['refund_undone', 'chargeback_undone']);

/**
 * The operator's list: payments and payouts whose outcome no provider has reported by their deadline. Nothing ends for being
 * here, since no time that has passed proves an outcome. A person asks the provider and records its answer as proof.
 *
 * A payment's deadline is when its payer's time and its provider's time to decide are over; a payout's is its provider's time
 * after the gateway accepted it. Only the end of the attempt takes it off the list.
 */
import type { Instant } from '../../foundation/clock.ts';
import type { PayoutKey } from '../../foundation/identifiers.ts';
import type { Money } from '../../foundation/money.ts';
import type { AttemptKey, AttemptState } from '../payments/payment-attempt.ts';
import type { RailDeadline } from '../payments/payment-deadline.ts';
import type { PayoutStage } from '../payouts/payout.ts';

export interface OverduePayment extends AttemptKey {
  readonly orderId: string;
  readonly money: Money;
  readonly rail: string;
  readonly reference: string;
  /** The provider's own id; empty before the provider has named it. */
  readonly providerReference: string;
  readonly state: AttemptState;
  /** The provider's latest answer. */
  readonly detail: string;
  readonly startedAt: Instant;
  readonly deadline: Instant;
}

export interface OverduePayout extends PayoutKey {
  readonly money: Money;
  readonly rail: string;
  /** The reference of the latest attempt; null: there was none. */
  readonly reference: string | null;
  readonly stage: PayoutStage;
  /** The outcome of the last step. */
  readonly note: string;
  readonly acceptedAt: Instant;
  readonly deadline: Instant;
}

export interface OverdueQuery {
  readonly now: Instant;
  /** The deadlines of the rails that this gateway runs. */
  readonly deadlines: readonly RailDeadline[];
  readonly limit: number;
}

/** How many payments or payouts of one rail are overdue. */
export interface OverdueCount {
  readonly what: 'payments' | 'payouts';
  readonly rail: string;
  readonly count: number;
  readonly oldestDeadline: Instant;
}

export interface OverdueStore {
  /** The longest overdue first. */
  payments(query: OverdueQuery): Promise<readonly OverduePayment[]>;
  /** The longest overdue first. */
  payouts(query: OverdueQuery): Promise<readonly OverduePayout[]>;
  /** By rail. */
  count(
    now: Instant,
    deadlines: Readonly<Record<OverdueCount['what'], readonly RailDeadline[]>>,
  ): Promise<readonly OverdueCount[]>;
}

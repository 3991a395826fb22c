/**
 * The operator's list of payments and payouts without an outcome from the provider by their deadline. The list ends nothing,
 * because elapsed time does not prove an outcome. The operator queries the provider and records the response as proof. A
 * payment's deadline is the end of the payer's time plus the provider's time to decide. A payout's deadline is the provider's
 * time after acceptance. An entry disappears only when the attempt ends.
 */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId, PayoutKey } from '../../foundation/identifiers.ts';
import type { Money } from '../../foundation/money.ts';
import type { AttemptKey, AttemptState } from '../payments/attempts/payment-attempt.ts';
import type { RailDeadline } from '../payments/attempts/payment-deadline.ts';
import type { PayoutStage } from '../payouts/payout.ts';

export interface OverduePayment extends AttemptKey {
  readonly orderId: string;
  readonly money: Money;
  readonly rail: string;
  readonly reference: string;
  /** The provider's own id; empty until the provider has assigned one. */
  readonly providerReference: string;
  readonly state: AttemptState;
  /** The provider's latest response. */
  readonly detail: string;
  readonly startedAt: Instant;
  readonly deadline: Instant;
}

export interface OverduePayout extends PayoutKey {
  readonly money: Money;
  readonly rail: string;
  /** The reference of the latest attempt. Null if there was none. */
  readonly reference: string | null;
  readonly stage: PayoutStage;
  /** The outcome of the last step. */
  readonly note: string;
  /** True if the payout's row was changed after its acceptance (payout-seal.ts). It is then listed before its deadline. */
  readonly isSealBroken: boolean;
  readonly acceptedAt: Instant;
  readonly deadline: Instant;
}

export interface OverdueQuery {
  readonly now: Instant;
  /** The deadlines of this gateway's rails. */
  readonly deadlines: readonly RailDeadline[];
  readonly limit: number;
  /** By default the payouts of all merchants. */
  readonly merchantId?: MerchantId | null;
}

/**
 * Finds the payouts that are pending for longer than 95% of the payouts of their rail, the longest late first. If
 * `merchantId` is null, of all merchants.
 */
export type FindLatePayouts = (merchantId: MerchantId | null, limit: number) => Promise<readonly OverduePayout[]>;

/** The number of overdue payments or payouts of one rail. */
export interface OverdueCount {
  readonly what: 'payments' | 'payouts';
  readonly rail: string;
  readonly count: number;
  readonly oldestDeadline: Instant;
}

export interface OverdueStore {
  /** Returns the payments that are overdue the longest first. */
  payments(query: OverdueQuery): Promise<readonly OverduePayment[]>;
  /** Returns the payouts with a broken seal first, then the longest overdue. */
  payouts(query: OverdueQuery): Promise<readonly OverduePayout[]>;
  /** Returns the counts, by rail. */
  count(
    now: Instant,
    deadlines: Readonly<Record<OverdueCount['what'], readonly RailDeadline[]>>,
  ): Promise<readonly OverdueCount[]>;
}

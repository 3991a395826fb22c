/** A provider's list of our payouts and their states, with which reconciliation compares the ledger. */
import type { Instant } from '../../foundation/clock.ts';
import type { Money } from '../../foundation/money.ts';

export interface ListedPayout {
  /** Our reference as we sent it. Null if the provider lists a payout without one, which reconciliation must not ignore. */
  readonly reference: string | null;
  /** The provider's own id, which a user quotes to the provider. */
  readonly providerId: string;
  /** The amount that left our account, according to the provider. */
  readonly money: Money;
  readonly state: 'executed' | 'declined' | 'reversed' | 'pending';
  /** The order's `remittance` as the provider returns it. Absent if its protocol has no such field. */
  readonly remittance?: string;
}

export interface PayoutList {
  readonly payouts: readonly ListedPayout[];
  /** Why each unreadable entry could not be parsed, without secrets. */
  readonly unreadable: readonly string[];
}

/** A rail that lists its payouts of a day. */
export interface PayoutLister {
  readonly rail: string;
  /** Returns the day (`YYYY-MM-DD`) under which the provider lists an event of that time. */
  dayOf(at: Instant): string;
  /** The delay after a day's end until its list and the next day's list are complete. Defaults to no delay. */
  readonly comparedAfterMs?: number;
  /**
   * Returns the complete list of that day. Rejects if the provider returns only a part, because a partial list proves nothing.
   */
  payoutsOf(day: string, signal: AbortSignal): Promise<PayoutList>;
}

/** Lists refunds, which are payouts, of a provider without other payouts. */
export type RefundLister = PayoutLister;

/** A provider's own list of what became of our payouts: what reconciliation holds the ledger against. */
import type { Instant } from '../../foundation/clock.ts';
import type { Money } from '../../foundation/money.ts';

export interface ListedPayout {
  /** Ours, as it was sent; null where the provider names a payout without one, which is never ours to ignore. */
  readonly reference: string | null;
  /** The provider's own id of it: what a person asks them by. */
  readonly providerId: string;
  /** What left our account, as the provider has it. */
  readonly money: Money;
  readonly state: 'executed' | 'declined' | 'reversed' | 'pending';
  /** The order's `remittance`, as the provider gives it back; absent where its protocol has no room for one. */
  readonly remittance?: string;
}

export interface PayoutList {
  readonly payouts: readonly ListedPayout[];
  /** What is on the list and can't be read, each with the reason and without anything secret. */
  readonly unreadable: readonly string[];
}

/** A rail that can be asked what it paid out on a day. */
export interface PayoutLister {
  readonly rail: string;
  /** The day (`YYYY-MM-DD`) under which the provider lists what happened then. */
  dayOf(at: Instant): string;
  /** All of that day. Rejects when the provider gives no whole answer: a part of a list proves nothing. */
  payoutsOf(day: string, signal: AbortSignal): Promise<PayoutList>;
}

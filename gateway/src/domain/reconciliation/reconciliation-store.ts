/** What comparisons with providers found, and what they need to know of our books. */
import type { Instant } from '../../foundation/clock.ts';
import type { PayoutKey } from '../../foundation/identifiers.ts';
import type { Difference as AnyDifference, ComparedKind, KeptDifference } from '../differences/difference.ts';
import type { Payout } from '../payouts/payout.ts';
import type { AdjustedBy } from '../payouts/payout-store.ts';

export type Difference = AnyDifference<ComparedKind>;

/** A payout of ours as a comparison needs it. */
export interface KnownPayout {
  readonly reference: string;
  readonly payout: Payout;
  readonly adjustedBy: AdjustedBy;
}

/** One day of a rail, compared. */
export interface Reconciliation {
  readonly rail: string;
  /** As the provider counts it, `YYYY-MM-DD`. */
  readonly day: string;
  readonly runAt: Instant;
  readonly listed: number;
  readonly matched: number;
  /** Those that waited here, and ended with what the list said. */
  readonly settled: number;
}

export interface PaidPayout {
  readonly reference: string;
  /** When the bank was told first: some list a payout under that day. */
  readonly toldAt: Instant;
  /** When it was posted. */
  readonly at: Instant;
}

/** One that its rail was told of, with what it can be asked about by. */
export interface AskablePayout extends KnownPayout {
  /** Of the latest attempt there. */
  readonly sendUntil: Instant;
}

/** A payout that a provider has by its own word, on no list, and that no payout here was sent as. */
export interface UnmatchedPayout
  extends Pick<KeptDifference, 'rail' | 'day' | 'subject' | 'merchantId' | 'payoutId' | 'ours' | 'theirs'> {
  readonly by: 'notified' | 'asked';
  readonly at: Instant;
}

export interface ReconciliationStore {
  /** Ours by the references under which `rail` was told of them. */
  findKnown(rail: string, references: readonly string[]): Promise<readonly KnownPayout[]>;
  /** Those of them that there are. */
  findPayouts(keys: readonly PayoutKey[]): Promise<readonly Payout[]>;
  /** Payouts of all merchants with these transaction ids. */
  findByTransactionIds(ids: readonly number[]): Promise<readonly Payout[]>;
  /** Payouts that wait to be sent by a rail, or for its bank's word. */
  countWaiting(rail: string): Promise<number>;
  /** What the ledger has as paid by `rail` from one instant to before another. */
  paidBetween(rail: string, from: Instant, to: Instant): Promise<readonly PaidPayout[]>;
  /** What `rail` was told of and ended, there or elsewhere, from one instant to before another: the earliest end first. */
  endedBetween(rail: string, from: Instant, to: Instant): AsyncIterable<AskablePayout>;
  /**
   * Keeps what a comparison found. What was found before and is not found any more is resolved by that, until it is found
   * again; what a person has resolved stays so, and what is about one of the `unanswered` subjects stays open.
   */
  keep(
    reconciliation: Reconciliation,
    differences: readonly Difference[],
    unanswered: readonly string[],
  ): Promise<void>;
  /**
   * Keeps it as a difference, once, and its reference in the directory. No list shows it, so no later comparison of a list
   * resolves it.
   */
  recordUnmatched(unmatched: UnmatchedPayout): Promise<void>;
}

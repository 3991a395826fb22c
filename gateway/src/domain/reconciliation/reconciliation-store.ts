/** The port for the results of comparisons with providers, and for the facts that comparisons need from our books. */
import type { Instant } from '../../foundation/clock.ts';
import type { PayoutKey } from '../../foundation/identifiers.ts';
import type { ComparedKind, Difference, KeptDifference } from '../differences/difference.ts';
import type { Payout } from '../payouts/payout.ts';
import type { AdjustedBy } from '../payouts/payout-store.ts';

export type ListDifference = Difference<ComparedKind>;

/** The facts about our payout that a comparison needs. */
export interface KnownPayout {
  readonly reference: string;
  readonly payout: Payout;
  readonly adjustedBy: AdjustedBy;
}

/** The comparison of one day of a rail. */
export interface Reconciliation {
  readonly rail: string;
  /** The day in the provider's calendar, `YYYY-MM-DD`. */
  readonly day: string;
  readonly runAt: Instant;
  readonly listed: number;
  readonly matched: number;
  /** The number of pending payouts that got the list's final state. */
  readonly settled: number;
}

/** The latest comparison of a day of a rail, with the differences that a user has to resolve. */
export interface ComparedDay extends Reconciliation {
  /** The number of open differences of that day that comparisons find. */
  readonly open: number;
  /** The number of all differences, including resolved ones. */
  readonly found: number;
}

/** Days in the providers' calendars, `YYYY-MM-DD`, inclusive. If `rail` is null, the list covers all rails. */
interface ComparedDays {
  readonly rail: string | null;
  readonly from: string;
  readonly until: string;
}

export interface PaidPayout {
  readonly reference: string;
  /** When the gateway first sent it to the bank. Some providers list a payout under that day. */
  readonly sentAt: Instant;
  /** The time when the ledger posted it. */
  readonly at: Instant;
}

/** A payout that its rail sent, with the facts needed to query it. */
export interface AskablePayout extends KnownPayout {
  /** The deadline of the latest attempt at that rail. */
  readonly sendUntil: Instant;
}

/**
 * The limit of references per rail that only notifications named. The senders choose these references. It far exceeds the
 * number that a restore loses, because a payout with a recorded reference is not sent before its bank was queried.
 */
export const MOST_NOTIFIED_REFERENCES = 10_000;

/** A payout that a provider reports, which is on no list and matches no attempt of ours. */
export interface UnmatchedPayout
  extends Pick<KeptDifference, 'rail' | 'day' | 'subject' | 'merchantId' | 'payoutId' | 'ours' | 'theirs'> {
  readonly by: 'notified' | 'asked';
  readonly at: Instant;
}

export interface ReconciliationStore {
  /** Returns our payouts by the references that `rail` sent. */
  findKnown(rail: string, references: readonly string[]): Promise<readonly KnownPayout[]>;
  /** Returns the payouts with these keys that exist. */
  findPayouts(keys: readonly PayoutKey[]): Promise<readonly Payout[]>;
  /** Returns payouts of all merchants with these transaction ids. */
  findByTransactionIds(ids: readonly number[]): Promise<readonly Payout[]>;
  /** Returns the number of payouts of a rail that wait to be sent, or for the bank's response. */
  countWaiting(rail: string): Promise<number>;
  /** Returns the payouts that the ledger counts as paid by `rail`, from `from` to before `to`. */
  paidBetween(rail: string, from: Instant, to: Instant): Promise<readonly PaidPayout[]>;
  /** Returns the payouts that `rail` sent and that became final, at any rail, from `from` to before `to`. Earliest first. */
  endedBetween(rail: string, from: Instant, to: Instant): AsyncIterable<AskablePayout>;
  /** Returns the compared days, by rail and day. */
  listDays(days: ComparedDays): Promise<readonly ComparedDay[]>;
  /**
   * Records the result of a comparison. A difference that no longer exists counts as resolved until a comparison finds it
   * again. A user’s resolution stays. A difference about an `unanswered` subject stays open.
   */
  keep(
    reconciliation: Reconciliation,
    differences: readonly ListDifference[],
    unanswered: readonly string[],
  ): Promise<void>;
  /**
   * Records it once as a difference, and its reference in the directory. No list shows it, so no comparison of a list resolves
   * it. Resolves to false, without recording, if the rail has too many references from notifications. From the limit of open
   * differences on, a notification does not change its reference.
   */
  recordUnmatched(unmatched: UnmatchedPayout): Promise<boolean>;
}

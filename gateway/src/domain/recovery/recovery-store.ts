/** The port for storing recoveries, and for examining a restored database. */
import type { Instant } from '../../foundation/clock.ts';
import type { PayoutKey } from '../../foundation/identifiers.ts';
import type { RailCompletion, Recovery } from './recovery.ts';

interface RestoredDatabase {
  /** True for a server that replays WAL or follows another server, and so accepts no writes. */
  readonly isReplaying: boolean;
  /** The time of its latest heartbeat. Null without a heartbeat. */
  readonly knownUntil: Instant | null;
}

/** The number of values to skip in each sequence. */
export interface SkippedNumbers {
  readonly transactionIds: number;
  readonly addresses: number;
}

export interface NewRecovery extends Pick<Recovery, 'startedAt' | 'knownUntil' | 'startedBy' | 'reason'> {}

/** Payouts of one rail about which no bank was queried since the restore. */
export interface UnaskedPayouts {
  readonly rail: string;
  readonly count: number;
  /** The reason why one of them waits, such as an unusable response from a bank. */
  readonly note: string;
  /** The number of further payouts that no bank has and that have been queued since before the restore. */
  readonly held: number;
}

/** The operator's name and evidence. */
export type ReleaseWords = Readonly<Record<'by' | 'evidence', string>>;

export interface RailReference {
  readonly rail: string;
  readonly reference: string;
}

export interface RecoveryStore {
  /** Returns the open recovery, or otherwise the latest. */
  latest(): Promise<Recovery | undefined>;
  examine(): Promise<RestoredDatabase>;
  /** Skips this many numbers permanently. */
  skipNumbers(numbers: SkippedNumbers): Promise<void>;
  /** Begins the recovery, and completes an earlier open one, whose recovery window is part of the new one. */
  begin(recovery: NewRecovery): Promise<void>;
  /**
   * Returns payouts that have waited to be sent, or had an unknown outcome, since before `waitingBefore`, except those about
   * which a bank was queried since `since`.
   */
  unasked(since: Instant, waitingBefore: Instant): Promise<readonly UnaskedPayouts[]>;
  /** Returns the rails that workers reported recently, sorted by name. */
  reportedRails(): Promise<readonly string[]>;
  recordComparison(startedAt: Instant, rail: string, at: Instant): Promise<void>;
  completeRail(startedAt: Instant, rail: string, completion: RailCompletion): Promise<void>;
  complete(startedAt: Instant, by: string, at: Instant): Promise<void>;
  /** Returns the references that a provider listed and that match no payout of ours. */
  unaccounted(references: readonly RailReference[]): Promise<readonly RailReference[]>;
  /** Returns their number by rail. */
  countUnaccounted(): Promise<ReadonlyMap<string, number>>;
  /** Removes references that now match one of our payouts. */
  account(rail: string, references: readonly string[]): Promise<void>;
  /**
   * The operator states that no bank has the payout, and a worker may send it. Its references are added to the directory.
   * Returns false if no payout waits for this.
   */
  release(key: PayoutKey, references: readonly RailReference[], words: ReleaseWords, at: Instant): Promise<boolean>;
}

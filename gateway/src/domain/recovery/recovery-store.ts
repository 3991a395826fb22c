/** Where recoveries are kept, and what a restored database says of itself. */
import type { Instant } from '../../foundation/clock.ts';
import type { PayoutKey } from '../../foundation/identifiers.ts';
import type { RailCompletion, Recovery } from './recovery.ts';

export interface RestoredDatabase {
  /** True for a server that still replays its log, or follows another one: nothing can be written to it. */
  readonly isReplaying: boolean;
  /** The latest thing that it knows; null: it knows of nothing yet. */
  readonly knownUntil: Instant | null;
}

/** How many numbers of each sequence are left out. */
export interface SkippedNumbers {
  readonly transactionIds: number;
  readonly addresses: number;
}

export interface NewRecovery extends Pick<Recovery, 'startedAt' | 'knownUntil' | 'startedBy' | 'reason'> {}

/** Payouts of one rail that no bank was asked about since. */
export interface UnaskedPayouts {
  readonly rail: string;
  readonly count: number;
  /** The reason why one of them waits, such as a bank's unusable answer. */
  readonly note: string;
}

export interface RailReference {
  readonly rail: string;
  readonly reference: string;
}

export interface RecoveryStore {
  /** The open one, or else the latest. */
  latest(): Promise<Recovery | undefined>;
  examine(): Promise<RestoredDatabase>;
  /** Takes so many numbers out of use for ever. */
  skipNumbers(numbers: SkippedNumbers): Promise<void>;
  /** An earlier one that is open is completed with it: its period is in the new one's. */
  begin(recovery: NewRecovery): Promise<void>;
  /**
   * Payouts that wait to be sent since before `waitingBefore`, or whose outcome is unknown as long, and that no bank was asked
   * about since `since`.
   */
  unasked(since: Instant, waitingBefore: Instant): Promise<readonly UnaskedPayouts[]>;
  recordComparison(startedAt: Instant, rail: string, at: Instant): Promise<void>;
  completeRail(startedAt: Instant, rail: string, completion: RailCompletion): Promise<void>;
  complete(startedAt: Instant, by: string, at: Instant): Promise<void>;
  /** Those that a provider has listed and that no payout of ours had then. */
  unaccounted(references: readonly RailReference[]): Promise<readonly RailReference[]>;
  /** How many there are of each rail. */
  countUnaccounted(): Promise<ReadonlyMap<string, number>>;
  /** For references that have a payout of ours now. */
  account(rail: string, references: readonly string[]): Promise<void>;
  /** The operator's word that no bank has it: it is sent. False: nothing waits for such a word. */
  release(key: PayoutKey, detail: string, at: Instant): Promise<boolean>;
}

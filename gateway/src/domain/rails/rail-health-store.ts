/** The port for the health of rails and their prefunded balances. */
import type { Instant } from '../../foundation/clock.ts';
import type { Money } from '../../foundation/money.ts';
import type { RailFloat, RailHealth } from './rail-health.ts';

/** The proof that the database still has a worker's commits: the worker's own last report about each rail. */
export interface HealthWitness {
  readonly process: string;
  readonly reported: readonly { readonly rail: string; readonly at: Instant }[];
}

export interface RailHealthStore {
  /** Returns false, without recording, if the database no longer has a report of the witness. It has then lost commits. */
  report(witness: HealthWitness, health: readonly RailHealth[], at: Instant): Promise<boolean>;
  /** Records that this worker has just begun attempts at the rail. A restore that loses them also loses this record. */
  mark(process: string, rail: string, at: Instant): Promise<void>;
  /** Returns the reports since `since`. */
  health(since: Instant): Promise<readonly RailHealth[]>;
  recordFloats(rail: string, amounts: readonly Money[], at: Instant): Promise<void>;
  floats(): Promise<readonly RailFloat[]>;
  /** Null removes the threshold. */
  setFloatThreshold(rail: string, currency: Money['currency'], threshold: bigint | null): Promise<void>;
}

/** The port for storing differences. */
import type { Instant } from '../../foundation/clock.ts';
import type { DifferenceKey, DifferenceKind, KeptDifference, ReportedDifference } from './difference.ts';

/** Null fields do not filter. */
interface DifferenceFilter {
  readonly rail: string | null;
  readonly day: string | null;
  readonly kind: DifferenceKind | null;
  readonly openOnly: boolean;
}

export interface DifferenceStore {
  /** Records a difference that no other write records. */
  report(difference: ReportedDifference): Promise<void>;
  /** Resolves a difference that no longer exists, in the gateway's name. Has no effect if there is no such open difference. */
  dismiss(difference: Omit<DifferenceKey, 'day'>, resolution: string, at: Instant): Promise<void>;
  /** Returns the oldest day first. */
  list(filter: DifferenceFilter): Promise<readonly KeptDifference[]>;
  find(key: DifferenceKey): Promise<KeptDifference | undefined>;
  /** Returns false if no such difference is open. */
  resolve(key: DifferenceKey, by: string, resolution: string, at: Instant): Promise<boolean>;
  /** Returns the number of open differences, by rail and kind. */
  countOpen(): Promise<readonly OpenDifferences[]>;
}

export interface OpenDifferences {
  readonly rail: string;
  readonly kind: DifferenceKind;
  readonly count: number;
  readonly oldestAt: Instant;
}

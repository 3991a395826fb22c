/** Where differences are kept. */
import type { Instant } from '../../foundation/clock.ts';
import type { DifferenceKey, DifferenceKind, KeptDifference, ReportedDifference } from './difference.ts';

/** Null filters nothing. */
export interface DifferenceFilter {
  readonly rail: string | null;
  readonly day: string | null;
  readonly kind: DifferenceKind | null;
  readonly openOnly: boolean;
}

export interface DifferenceStore {
  /** Keeps one that is written beside no other record. */
  report(difference: ReportedDifference): Promise<void>;
  /** Resolves one that is gone, in the name of the gateway. Nothing happens where there is no such open difference. */
  dismiss(difference: Omit<DifferenceKey, 'day'>, resolution: string, at: Instant): Promise<void>;
  /** Oldest day first. */
  list(filter: DifferenceFilter): Promise<readonly KeptDifference[]>;
  find(key: DifferenceKey): Promise<KeptDifference | undefined>;
  /** False: there is no such open difference. */
  resolve(key: DifferenceKey, by: string, resolution: string, at: Instant): Promise<boolean>;
  /** How many are open, by rail and kind. */
  countOpen(): Promise<readonly OpenDifferences[]>;
}

export interface OpenDifferences {
  readonly rail: string;
  readonly kind: DifferenceKind;
  readonly count: number;
  readonly oldestAt: Instant;
}

/** The length of the queues, and the age of their oldest job. */
import type { Instant } from '../../foundation/clock.ts';
import type { OpenDifferences } from '../differences/difference-store.ts';
import type { PayoutStage } from '../payouts/payout.ts';

export interface QueueStatistics {
  readonly payoutStages: readonly {
    readonly rail: string;
    readonly stage: PayoutStage;
    readonly count: number;
    /** When the payout that is longest in this stage entered it. */
    readonly oldestSince: Instant;
  }[];
  /** One entry for each rail with pending payouts. */
  readonly payoutsDue: readonly {
    readonly rail: string;
    /** Null if every due payout is claimed. */
    readonly oldestDueAt: Instant | null;
  }[];
  readonly callbacks: {
    /** Callbacks to deliver, now or later. */
    readonly waiting: number;
    /** The oldest due callback of merchants whose lane is not paused by its breaker, or null if none is due. */
    readonly oldestDueAt: Instant | null;
    readonly lanesPaused: number;
  };
  /** Open differences: one entry for each rail and kind. */
  readonly differences: readonly OpenDifferences[];
}

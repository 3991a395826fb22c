/** The length of the queues, and the age of their oldest job. */
import type { Instant } from '../../foundation/clock.ts';
import type { OpenDifferences } from '../differences/difference-store.ts';
import type { PayoutStage } from '../payouts/payout.ts';

export interface QueueStatistics {
  readonly payoutStages: readonly {
    readonly rail: string;
    readonly stage: PayoutStage;
    readonly count: number;
    /** When the payout that has been in this stage longest entered it. */
    readonly oldestSince: Instant;
  }[];
  /** Contains one entry for each rail with pending payouts. */
  readonly payoutsDue: readonly {
    readonly rail: string;
    /** Null if every due payout is claimed. */
    readonly oldestDueAt: Instant | null;
  }[];
  readonly callbacks: {
    /** The number of callbacks to deliver, now or later. */
    readonly waiting: number;
    /** When the oldest callback became due, without lanes that the breaker pauses. Null if none is due. */
    readonly oldestDueAt: Instant | null;
    readonly lanesPaused: number;
  };
  /** The open differences, with one entry for each rail and kind. */
  readonly differences: readonly OpenDifferences[];
}

/** The health of the rails: the results of the workers' calls, and our prefunded balances there. */
import { DAY_MS, type Instant } from '../../foundation/clock.ts';
import type { Money } from '../../foundation/money.ts';

/** `closed`: workers call the rail. `open`: they pause calls. `half_open`: they probe it with one payout. */
export type BreakerState = 'closed' | 'open' | 'half_open';

/** A change that a worker reports immediately: its breaker opened, or the rail responds again. */
export type BreakerChange = 'opened' | 'closed';

/** A worker's report about a rail. */
export interface RailHealth {
  readonly rail: string;
  readonly breaker: BreakerState;
  /** The number of payouts that the worker has in flight. */
  readonly inFlight: number;
}

export interface RailFloat {
  readonly rail: string;
  readonly currency: Money['currency'];
  /** The balance in minor units. Null if it was never read. */
  readonly amount: bigint | null;
  readonly readAt: Instant | null;
  /** The threshold of the alert. If null, the gateway raises none. */
  readonly threshold: bigint | null;
}

/** The interval between the reports of a worker, and the period for which a report stays valid. */
export const HEALTH_REPORTED_EVERY_MS = 10_000;
export const HEALTH_COUNTS_FOR_MS = 3 * HEALTH_REPORTED_EVERY_MS;
/**
 * Reports of other processes are kept this long, so that a worker whose machine was suspended finds its own again. A worker
 * that misses them sends nothing until it is restarted.
 */
export const HEALTH_KEPT_FOR_MS = 30 * DAY_MS;

export function isLow({ amount, threshold }: Pick<RailFloat, 'amount' | 'threshold'>): boolean {
  return amount !== null && threshold !== null && amount < threshold;
}

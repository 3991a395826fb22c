/** How the rails do: what workers meet when they call them, and what is left of our money there. */
import type { Instant } from '../../foundation/clock.ts';
import type { Money } from '../../foundation/money.ts';

/** `closed`: the rail is called; `open`: it is left alone for a while; `half_open`: it is tried with one payout. */
export type BreakerState = 'closed' | 'open' | 'half_open';

/** A change that a worker reports at once: its breaker opened, or the rail answers again. */
export type BreakerChange = 'opened' | 'closed';

/** What one worker tells of one rail. */
export interface RailHealth {
  readonly rail: string;
  readonly breaker: BreakerState;
  /** Payouts in the worker's hands. */
  readonly underWay: number;
}

export interface RailFloat {
  readonly rail: string;
  readonly currency: Money['currency'];
  /** Minor units; null: it was never learnt. */
  readonly amount: bigint | null;
  readonly readAt: Instant | null;
  /** Below it an alert is raised; null: never. */
  readonly lowMark: bigint | null;
}

export interface RailHealthStore {
  /** `process` names the teller among all workers. */
  tell(process: string, health: readonly RailHealth[], at: Instant): Promise<void>;
  /** What was told since. */
  health(since: Instant): Promise<readonly RailHealth[]>;
  recordFloats(rail: string, amounts: readonly Money[], at: Instant): Promise<void>;
  floats(): Promise<readonly RailFloat[]>;
  /** Null takes the mark away. */
  setLowMark(rail: string, currency: Money['currency'], lowMark: bigint | null): Promise<void>;
}

/** How often a worker tells, and after how long a silent one counts no more. */
export const HEALTH_TOLD_EVERY_MS = 10_000;
export const HEALTH_COUNTS_FOR_MS = 3 * HEALTH_TOLD_EVERY_MS;

export function isLow({ amount, lowMark }: Pick<RailFloat, 'amount' | 'lowMark'>): boolean {
  return amount !== null && lowMark !== null && amount < lowMark;
}

/**
 * Compares this machine's clock with the database's. A process whose clock is off claims nothing, because its leases would
 * mislead others.
 */
import { type Clock, SECOND_MS } from '../foundation/clock.ts';

export interface ClockGuardParts {
  readonly clock: Clock;
  /** The database's clock minus ours, in milliseconds. */
  readonly clockDifference: () => Promise<number>;
  readonly onProblem: (problem: string) => void;
}

const CHECK_EVERY_MS = 30 * SECOND_MS;
/** Beyond this difference the worker claims nothing. */
export const CLOCK_TOLERANCE_MS = 2 * SECOND_MS;

/** The returned function rejects when the database is unreachable. While the clock is off, each call compares again. */
export function createClockGuard({ clock, clockDifference, onProblem }: ClockGuardParts): () => Promise<boolean> {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let isRight = false;
  return async () => {
    const isFresh = Math.abs(clock.now() - checkedAt) < CHECK_EVERY_MS;
    if (isRight && isFresh) return true;
    const difference = await clockDifference();
    isRight = Math.abs(difference) <= CLOCK_TOLERANCE_MS;
    checkedAt = clock.now();
    if (!isRight)
      onProblem(`this machine's clock is ${Math.round(difference)} ms off the database's: the gateway sends nothing`);
    return isRight;
  };
}

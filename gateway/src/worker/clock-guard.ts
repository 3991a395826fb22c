/**
 * Compares this machine's clock with the database's. A process whose clock is wrong claims nothing, sends nothing and trusts
 * no "not found", because its leases and deadlines would mislead others.
 */
import { type Clock, SECOND_MS } from '../foundation/clock.ts';

interface ClockGuardParts {
  readonly clock: Clock;
  /** The database's clock minus ours, in milliseconds. */
  readonly clockDifference: () => Promise<number>;
  readonly onProblem: (problem: string) => void;
  /** Returns milliseconds of a monotonic clock. */
  readonly steadyMs: () => number;
}

const CHECK_EVERY_MS = 30 * SECOND_MS;
/** If the clocks differ by more, the worker claims nothing. */
export const CLOCK_TOLERANCE_MS = 2 * SECOND_MS;
/** The clock was set, or the machine slept, if it moved this much against the steady clock since the comparison. */
const STEP_MS = 1 * SECOND_MS;

/**
 * The returned function rejects when the database is unreachable. It compares every 30 seconds, after each step of the clock,
 * and at each call while the clock is off. Otherwise it resolves without a query.
 */
export function createClockGuard({
  clock,
  clockDifference,
  onProblem,
  steadyMs,
}: ClockGuardParts): () => Promise<boolean> {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let steadyAt = 0;
  let isRight = false;
  return async () => {
    const elapsedMs = clock.now() - checkedAt;
    const isStepped = Math.abs(elapsedMs - (steadyMs() - steadyAt)) > STEP_MS;
    if (isRight && !isStepped && Math.abs(elapsedMs) < CHECK_EVERY_MS) return true;
    const difference = await clockDifference();
    isRight = Math.abs(difference) <= CLOCK_TOLERANCE_MS;
    checkedAt = clock.now();
    steadyAt = steadyMs();
    if (!isRight)
      onProblem(
        `this machine's clock differs from the database's by ${Math.round(difference)} ms: the gateway does not send anything`,
      );
    return isRight;
  };
}

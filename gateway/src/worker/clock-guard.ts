/** A process whose clock is off the database's claims nothing: its leases would lie to the others. */
import { type Clock, SECOND_MS } from '../foundation/clock.ts';

export interface ClockGuardParts {
  readonly clock: Clock;
  /** The database's clock less ours, in milliseconds. */
  readonly clockDifference: () => Promise<number>;
  readonly onProblem: (problem: string) => void;
}

const CHECK_EVERY_MS = 30 * SECOND_MS;
/** Past this difference nothing is claimed. */
export const CLOCK_TOLERANCE_MS = 2 * SECOND_MS;

/** The returned question rejects when the database can't be asked. While the clock is off it is asked at each call. */
export function createClockGuard({ clock, clockDifference, onProblem }: ClockGuardParts): () => Promise<boolean> {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let isRight = false;
  return async () => {
    const isFresh = Math.abs(clock.now() - checkedAt) < CHECK_EVERY_MS;
    if (isRight && isFresh) return true;
    const difference = await clockDifference();
    isRight = Math.abs(difference) <= CLOCK_TOLERANCE_MS;
    checkedAt = clock.now();
    if (!isRight) onProblem(`this machine's clock is ${Math.round(difference)} ms off the database's: nothing is sent`);
    return isRight;
  };
}

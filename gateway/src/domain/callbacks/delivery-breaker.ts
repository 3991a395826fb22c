/**
 * The breaker of one merchant's lane. After `OPENS_AFTER` consecutive failures, the gateway sends one probe at a time
 * to the merchant's server. Each failed probe doubles the pause, and the first success closes the breaker. Waiting
 * callbacks keep their place in the retry schedule, since no attempt was made. A server that was down for a day
 * therefore gets all of them, and an alert reports the pause.
 */
import { type Instant, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { DeliveryOutcome } from './callback.ts';

export const OPENS_AFTER = 5;
const FIRST_PAUSE_MS = 30 * SECOND_MS;
const LONGEST_PAUSE_MS = 10 * MINUTE_MS;

export interface Breaker {
  /** Consecutive failed attempts. */
  readonly failures: number;
  /** No attempt starts earlier; null: no pause. */
  readonly pausedUntil: Instant | null;
}

/** While it is open, at most one attempt is in flight. */
export function isOpen(breaker: Breaker): boolean {
  return breaker.failures >= OPENS_AFTER;
}

/**
 * The breaker after an attempt. `wasProbe`: the breaker was open when the attempt began. Attempts that were in flight
 * when it opened do not lengthen the pause.
 */
export function afterAttempt(breaker: Breaker, outcome: DeliveryOutcome, wasProbe: boolean, now: Instant): Breaker {
  if (outcome === 'no_address') return breaker;
  if (outcome === 'accepted') return { failures: 0, pausedUntil: null };
  if (isOpen(breaker) && !wasProbe) return breaker;
  const failures = breaker.failures + 1;
  return { failures, pausedUntil: failures < OPENS_AFTER ? null : now + pauseMs(failures) };
}

function pauseMs(failures: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (failures - OPENS_AFTER), LONGEST_PAUSE_MS);
}

/**
 * The breaker of one merchant's lane. After `OPENS_AFTER` failures in a row the merchant's server is left alone but for
 * one probe at a time, each followed by a longer pause; the first success closes it. Callbacks that wait meanwhile keep
 * their place in the retry schedule, since no attempt was made: a server that was down for a day gets all of them when
 * it is back, and an operator hears of the pause.
 */
import { type Instant, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { DeliveryOutcome } from './callback.ts';

export const OPENS_AFTER = 5;
const FIRST_PAUSE_MS = 30 * SECOND_MS;
const LONGEST_PAUSE_MS = 10 * MINUTE_MS;

export interface Breaker {
  /** Failed attempts in a row. */
  readonly failures: number;
  /** No attempt before then; null = no pause. */
  readonly pausedUntil: Instant | null;
}

/** Open: at most one attempt under way at a time. */
export function isOpen(breaker: Breaker): boolean {
  return breaker.failures >= OPENS_AFTER;
}

/**
 * The breaker after an attempt. `wasProbe`: the breaker was open when the attempt began. Attempts that were already
 * under way when it opened do not lengthen the pause.
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

/** The retry times of callbacks (decision 43). */
import { HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { Random } from '../../foundation/random.ts';

/** Offsets from the first attempt, in milliseconds. */
export const RETRY_OFFSETS_MS: readonly number[] = [
  0,
  1 * MINUTE_MS,
  2 * MINUTE_MS,
  5 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  1 * HOUR_MS,
  2 * HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  24 * HOUR_MS,
  48 * HOUR_MS,
  72 * HOUR_MS,
];

/** A merchant's server may delay the next attempt by at most this. */
const LONGEST_RETRY_AFTER_MS = HOUR_MS;
/** An attempt that timed out must not shift the next one, so this is under a minute. */
const SHORTEST_GAP_MS = 30 * SECOND_MS;
const JITTER = 0.1;

/**
 * The time of the next attempt after `attempts` attempts of this schedule, or null when the schedule is used up. It is
 * never earlier than the schedule, and up to a tenth of the step later. Callbacks that failed together are thus not
 * retried together. It is at least half a minute from now, so that a missed schedule causes no burst.
 */
export function nextAttemptAt(
  attempts: number,
  firstAttemptAt: Instant,
  now: Instant,
  retryAfterMs: number | null,
  random: Random,
): Instant | null {
  const offset = RETRY_OFFSETS_MS[attempts];
  if (offset === undefined) return null;
  const step = offset - (RETRY_OFFSETS_MS[attempts - 1] ?? 0);
  const planned = firstAttemptAt + offset + Math.floor(step * JITTER * random.fraction());
  const asked = now + Math.min(retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS);
  return Math.max(planned, asked, now + SHORTEST_GAP_MS);
}

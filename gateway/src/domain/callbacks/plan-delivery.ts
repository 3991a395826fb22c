/**
 * Plans the effects of a delivery attempt: the callback's state (delivered, due again or undelivered), the time of its retry
 * (decision 43), and the breaker of its merchant's lane. Pure; storage writes the plan.
 */
import { HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { Random } from '../../foundation/random.ts';
import type { Callback, CallbackAttempt, DeliveryOutcome, DeliveryReport } from './callback.ts';
import { CALLBACK_TRANSITIONS } from './callback-transitions.ts';

/** The schedule (decision 43): offsets from the first attempt, in milliseconds. */
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

/** The longest delay that a merchant's server can request for the next attempt. */
const LONGEST_RETRY_AFTER_MS = HOUR_MS;

/** Less than a minute, because an attempt that timed out must not shift the next attempt. */
const SHORTEST_GAP_MS = 30 * SECOND_MS;
const JITTER = 0.1;

export type DeliveryState =
  | { readonly state: 'delivered' | 'undelivered' }
  | { readonly state: 'due'; readonly dueAt: Instant };

export interface PlannedDelivery {
  readonly attempt: CallbackAttempt;
  /** The start of the schedule. */
  readonly firstAttemptAt: Instant;
  readonly finishedAt: Instant;
  readonly next: DeliveryState;
}

export function planDelivery(
  callback: Callback,
  report: DeliveryReport,
  { at: startedAt, random }: { readonly at: Instant; readonly random: Random },
): PlannedDelivery {
  const attempt = callback.attempts + 1;
  const firstAttemptAt = callback.firstAttemptAt ?? startedAt;
  const finishedAt = startedAt + report.latencyMs;
  const { outcome, httpStatus, latencyMs, reply, sent } = report;
  return {
    attempt: { attempt, startedAt, latencyMs, httpStatus, outcome, reply, sent },
    firstAttemptAt,
    finishedAt,
    next: nextOf(attempt - callback.scheduleStart, firstAttemptAt, finishedAt, report, random),
  };
}

function nextOf(
  attemptsOfSchedule: number,
  firstAttemptAt: Instant,
  now: Instant,
  { outcome, retryAfterMs }: DeliveryReport,
  random: Random,
): DeliveryState {
  const { due } = CALLBACK_TRANSITIONS;
  if (outcome === 'accepted' || outcome === 'no_address') return { state: due[outcome] };
  const dueAt = nextAttemptAt(attemptsOfSchedule, firstAttemptAt, now, retryAfterMs, random);
  return dueAt === null ? { state: due.exhausted } : { state: due.failed, dueAt };
}

/**
 * Returns the time of the next attempt after `attempts` attempts of this schedule, or null if the schedule is exhausted. It is
 * never earlier than the schedule, and up to a tenth of the step later, so that callbacks that failed together are not retried
 * together. It is at least half a minute from now, so that a missed schedule causes no burst.
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

export const OPENS_AFTER = 5;
const FIRST_PAUSE_MS = 30 * SECOND_MS;
const LONGEST_PAUSE_MS = 10 * MINUTE_MS;

/**
 * The breaker of one merchant's lane. After `OPENS_AFTER` consecutive failures, the gateway sends one probe at a time to the
 * merchant's server. Each failed probe doubles the pause, and the first success closes the breaker. Waiting callbacks keep
 * their place in the retry schedule, because no attempt was made. A server that was down for a day therefore gets all of them,
 * and an alert reports the pause.
 */
export interface Breaker {
  /** The number of consecutive failed attempts. */
  readonly failures: number;
  /** No attempt starts before this time. Null means no pause. */
  readonly pausedUntil: Instant | null;
}

/** While it is open, at most one attempt is in flight. */
export function isOpen(breaker: Breaker): boolean {
  return breaker.failures >= OPENS_AFTER;
}

/**
 * Returns the breaker after an attempt. `wasProbe` is true if the breaker was open when the attempt began. Attempts that were
 * in flight when it opened do not extend the pause.
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

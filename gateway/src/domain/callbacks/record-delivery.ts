/**
 * Decides the state of a callback after an attempt: delivered, due again or undelivered. Pure; storage writes the
 * decision.
 */
import type { Instant } from '../../foundation/clock.ts';
import type { Random } from '../../foundation/ids.ts';
import type { Callback, CallbackAttempt, DeliveryReport } from './callback.ts';
import { nextAttemptAt } from './retry-schedule.ts';

export type NextStep =
  | { readonly state: 'delivered' | 'undelivered' }
  | { readonly state: 'due'; readonly dueAt: Instant };

export interface RecordedDelivery {
  readonly attempt: CallbackAttempt;
  /** The start of the schedule. */
  readonly firstAttemptAt: Instant;
  readonly finishedAt: Instant;
  readonly next: NextStep;
}

export function recordDelivery(
  callback: Callback,
  report: DeliveryReport,
  startedAt: Instant,
  random: Random,
): RecordedDelivery {
  const attempt = callback.attempts + 1;
  const firstAttemptAt = callback.firstAttemptAt ?? startedAt;
  const finishedAt = startedAt + report.latencyMs;
  const { outcome, httpStatus, latencyMs, reply, sent } = report;
  return {
    attempt: { attempt, startedAt, latencyMs, httpStatus, outcome, reply, sent },
    firstAttemptAt,
    finishedAt,
    next: nextStep(attempt - callback.scheduleStart, firstAttemptAt, finishedAt, report, random),
  };
}

function nextStep(
  attemptsOfSchedule: number,
  firstAttemptAt: Instant,
  now: Instant,
  report: DeliveryReport,
  random: Random,
): NextStep {
  if (report.outcome === 'accepted') return { state: 'delivered' };
  // A retry would not help: first the merchant sets an address, then the operator resends.
  if (report.outcome === 'no_address') return { state: 'undelivered' };
  const dueAt = nextAttemptAt(attemptsOfSchedule, firstAttemptAt, now, report.retryAfterMs, random);
  return dueAt === null ? { state: 'undelivered' } : { state: 'due', dueAt };
}

/**
 * Distinguishes abuse of the form from a payer in trouble. A payer reaches a limit a few times. Someone who tests stolen
 * cards, or makes banks send messages to strangers, meets it many times. Counts by merchant within this process. With several
 * processes each counts a part, and the alert comes later.
 */

import type { LimitSubject } from '../../domain/payments/attempts/attempt-limits.ts';
import { type Instant, MINUTE_MS } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { RaiseAlert } from './alerts.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

const WITHIN_MS = 10 * MINUTE_MS;

/** The number of rejections in the window that raises the alert. A single payer stays below it. */
const MANY = 20;

interface Run {
  readonly since: Instant;
  readonly rejected: number;
}

interface WatchParts {
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'attemptLimited'>;
  readonly raise: RaiseAlert;
}

export function createAttemptLimitWatch({ log, metrics, raise }: WatchParts) {
  const runs = new Map<MerchantId, Run>();
  return (merchantId: MerchantId, subject: LimitSubject, at: Instant): void => {
    metrics.attemptLimited(subject);
    log('attempt_limited', { merchant: merchantId, subject });
    const run = runs.get(merchantId);
    const isOver = !run || at - run.since >= WITHIN_MS;
    const next = isOver ? { since: at, rejected: 1 } : { ...run, rejected: run.rejected + 1 };
    runs.set(merchantId, next);
    if (next.rejected === MANY) raise('attempts_limited', merchantId);
  };
}

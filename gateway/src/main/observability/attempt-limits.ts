/**
 * Tells abuse of the form from a payer who has trouble: a payer meets a limit a few times, whoever tries out stolen cards or
 * has strangers written to meets it over and over. Counts by merchant, in this process; several processes see a part each,
 * and the alert comes that much later.
 */
import type { MerchantId } from '../../domain/merchants/merchant.ts';
import { type Instant, MINUTE_MS } from '../../foundation/clock.ts';
import type { Hooks, HooksParts } from './hooks.ts';

const WITHIN_MS = 10 * MINUTE_MS;

/** Rejections within that time which no payer brings about by themselves. */
const MANY = 20;

interface Run {
  readonly since: Instant;
  readonly rejected: number;
}

export function createAttemptLimitWatch({ log, metrics, raise }: HooksParts): Hooks['onTooManyTries'] {
  const runs = new Map<MerchantId, Run>();
  return (merchantId, subject, at) => {
    metrics.attemptLimited(subject);
    log('attempt_limited', { merchant: merchantId, too_many_by: subject });
    const run = runs.get(merchantId);
    const isOver = !run || at - run.since >= WITHIN_MS;
    const next = isOver ? { since: at, rejected: 1 } : { ...run, rejected: run.rejected + 1 };
    runs.set(merchantId, next);
    if (next.rejected === MANY) raise('attempts_limited', merchantId);
  };
}

/**
 * Distinguishes abuse of the form from a payer in trouble. A payer meets a limit a few times; somebody who tests stolen cards,
 * or has banks write to strangers, meets it again and again. Counts by merchant in this process. With several processes each
 * sees a part, and the alert comes later.
 */
import type { MerchantId } from '../../domain/merchants/merchant.ts';
import { type Instant, MINUTE_MS } from '../../foundation/clock.ts';
import type { Hooks, HooksParts } from './hooks.ts';

const WITHIN_MS = 10 * MINUTE_MS;

/** More rejections within that time than one payer causes. */
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

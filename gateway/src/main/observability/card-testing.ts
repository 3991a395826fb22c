/**
 * Tells card testing from a payer who has trouble with a card: one of them is refused a few times, the other over and over.
 * Counts by merchant, in this process; several processes see a part each, and the alert comes that much later.
 */
import type { MerchantId } from '../../domain/merchants/merchant.ts';
import { type Instant, MINUTE_MS } from '../../foundation/clock.ts';
import type { Hooks, HooksParts } from './hooks.ts';

const WITHIN_MS = 10 * MINUTE_MS;

/** Refusals within that time which no payer brings about by themselves. */
const MANY = 20;

interface Run {
  readonly since: Instant;
  readonly refused: number;
}

export function createCardTestingWatch({ log, metrics, raise }: HooksParts): Hooks['onTooManyTries'] {
  const runs = new Map<MerchantId, Run>();
  return (merchantId, subject, at) => {
    metrics.cardTryRefused(subject);
    log('card_try_refused', { merchant: merchantId, too_many_of: subject });
    const run = runs.get(merchantId);
    const isOver = !run || at - run.since >= WITHIN_MS;
    const next = isOver ? { since: at, refused: 1 } : { ...run, refused: run.refused + 1 };
    runs.set(merchantId, next);
    if (next.refused === MANY) raise('card_testing', merchantId);
  };
}

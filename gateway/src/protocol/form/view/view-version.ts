/**
 * A short name for how a payment stands as its page shows it: the same as long as the payer would see the same. Pages ask
 * after it, and their forms carry it, so that an act counts only on what the payer saw.
 */
import { createHash } from 'node:crypto';
import { isUnderWay } from '../../../domain/payments/payment-attempt.ts';
import type { SessionRecord } from '../../../domain/payments/payment-store.ts';
import type { Instant } from '../../../foundation/clock.ts';
import { payerDeadline, shownAttempt } from './view-facts.ts';

const LENGTH = 24;

export function versionOf(record: SessionRecord, now: Instant): string {
  const { deposit, attempts } = record;
  const attempt = shownAttempt(record);
  const shown = [
    deposit?.state,
    deposit?.failReason,
    now >= payerDeadline(record),
    attempts.length,
    attempts.some(({ state }) => state === 'paid'),
    attempt && [attempt.attempt, attempt.state, attempt.step, attempt.isAuthorised, attempt.refusal],
    // What else is asked about changes no page: a reload would throw the payer out of their bank's frame.
    attempt?.state === 'deciding' && attempt.asks > 0,
  ];
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, LENGTH);
}

/** Whether it may change without an act on this page. */
export function isLive({ deposit, attempts }: SessionRecord): boolean {
  return deposit?.state === 'pending' && attempts.some((attempt) => isUnderWay(attempt) || attempt.state === 'paid');
}

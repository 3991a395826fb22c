/**
 * A short version of the state that a page shows. It changes only if the payer would see something else. Pages poll
 * it, and their forms carry it, so that an act counts only on the state that the payer saw.
 */
import { createHash } from 'node:crypto';
import { isInFlight } from '../../../domain/payments/payment-attempt.ts';
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
    // Other queries to the provider change no page. A needless reload would close the payer's bank frame.
    attempt?.state === 'deciding' && attempt.asks > 0,
  ];
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, LENGTH);
}

/** Reports whether the page may change without an act of the payer. */
export function isLive({ deposit, attempts }: SessionRecord): boolean {
  return deposit?.state === 'pending' && attempts.some((attempt) => isInFlight(attempt) || attempt.state === 'paid');
}

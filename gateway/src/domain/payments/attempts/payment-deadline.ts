/**
 * The time by which a provider must report the outcome of a payment or payout. Exceeding it does not end an attempt: see
 * monitoring/overdue-store.ts.
 */
import { DAY_MS, type Instant } from '../../../foundation/clock.ts';
import type { Deposit } from '../../deposits/deposit.ts';
import type { PaymentAttempt } from './payment-attempt.ts';

/** The provider's time to decide, if its rail defines none or is no longer configured. */
export const DECIDES_WITHIN_MS = DAY_MS;

export interface RailDeadline {
  readonly rail: string;
  readonly decidesWithinMs: number;
}

export function deadlinesOf(
  rails: readonly { readonly name: string; readonly decidesWithinMs?: number }[],
): readonly RailDeadline[] {
  return rails.map(({ name, decidesWithinMs = DECIDES_WITHIN_MS }) => ({ rail: name, decidesWithinMs }));
}

/** Returns when the operator is alerted about an unfinished attempt. */
export function paymentDeadline(
  { sendUntil, rail }: Pick<PaymentAttempt, 'sendUntil' | 'rail'>,
  { closesAt }: Pick<Deposit, 'closesAt'>,
  deadlines: readonly RailDeadline[],
): Instant {
  const named = deadlines.find((each) => each.rail === rail);
  return Math.max(closesAt, sendUntil) + (named?.decidesWithinMs ?? DECIDES_WITHIN_MS);
}

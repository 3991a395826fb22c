/** The time by which a provider has to report how a payment or payout ended. Nothing ends for being late: see monitoring/overdue.ts. */
import { DAY_MS, type Instant } from '../../foundation/clock.ts';
import type { Deposit } from '../deposits/deposit.ts';
import type { PaymentAttempt } from './payment-attempt.ts';

/** How long a provider may take to decide where its rail names no other time, or is not configured any more. */
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

/** When the operator is to hear of an attempt that has not ended. */
export function paymentDeadline(
  { sendUntil, rail }: Pick<PaymentAttempt, 'sendUntil' | 'rail'>,
  { closesAt }: Pick<Deposit, 'closesAt'>,
  deadlines: readonly RailDeadline[],
): Instant {
  const named = deadlines.find((each) => each.rail === rail);
  return Math.max(closesAt, sendUntil) + (named?.decidesWithinMs ?? DECIDES_WITHIN_MS);
}

/**
 * Records a provider's notification that matches no payout or payment: in a restored gateway, it may concern a lost payout. It
 * becomes a difference for the operator, and the gateway never sends a payout with that reference.
 */

import { type Clock, DAY_MS, type Instant, utcDayOf } from '../../foundation/clock.ts';
import { formatMoney, type Money } from '../../foundation/money.ts';
import type { Recovery } from '../recovery/recovery.ts';
import type { ReconciliationStore } from './reconciliation-store.ts';

export interface ForgottenNotification {
  readonly kind: string;
  readonly reference: string;
  readonly money?: Money | null;
}

interface RecordForgottenParts {
  readonly store: Pick<ReconciliationStore, 'recordUnmatched'>;
  readonly recovery: () => Promise<Recovery | undefined>;
  readonly clock: Clock;
}

/** Providers repeat an unacknowledged notification for days. */
const REPEATED_FOR_MS = 30 * DAY_MS;
/** Outcomes that moved no money. */
const NOTHING_MOVED: ReadonlySet<string> = new Set(['declined', 'refused']);

/** Resolves to true once the notification is recorded, and to false if it needs no record or its rail has too many. */
export async function recordForgotten(
  { store, recovery, clock }: RecordForgottenParts,
  rail: string,
  { kind, reference, money }: ForgottenNotification,
): Promise<boolean> {
  const now = clock.now();
  if (NOTHING_MOVED.has(kind) || !isAfterRestore(await recovery(), now)) return false;
  const amount = money ? `, ${formatMoney(money)}` : '';
  return store.recordUnmatched({
    rail,
    day: utcDayOf(now),
    subject: reference,
    merchantId: null,
    payoutId: null,
    ours: 'unknown',
    theirs: `${kind}${amount}`,
    by: 'notified',
    at: now,
  });
}

function isAfterRestore(recovery: Recovery | undefined, now: Instant): boolean {
  if (!recovery) return false;
  return recovery.completed === null || now < recovery.startedAt + REPEATED_FOR_MS;
}

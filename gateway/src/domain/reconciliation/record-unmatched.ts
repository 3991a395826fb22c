/**
 * A provider notifies of something that no payout and no payment of ours has: in a restored gateway it may be what was
 * forgotten. It becomes a difference for the operator, and a payout that comes to its reference is not sent.
 */
import { type Clock, DAY_MS, type Instant, utcDayOf } from '../../foundation/clock.ts';
import { formatMoney, type Money } from '../../foundation/money.ts';
import type { Recovery } from '../recovery/recovery.ts';
import type { ReconciliationStore } from './reconciliation-store.ts';

export interface UnmatchedNews {
  readonly kind: string;
  readonly reference: string;
  readonly money?: Money | null;
}

/** Resolves to true once the news is kept, and to false where it is none to keep. */
export type RecordUnmatched = (rail: string, news: UnmatchedNews) => Promise<boolean>;

export interface RecordUnmatchedParts {
  readonly store: Pick<ReconciliationStore, 'recordUnmatched'>;
  readonly recovery: () => Promise<Recovery | undefined>;
  readonly clock: Clock;
}

/** Providers repeat an unacknowledged notification for days. */
const REPEATED_FOR_MS = 30 * DAY_MS;
/** News after which no money is gone. */
const NOTHING_MOVED: ReadonlySet<string> = new Set(['declined', 'refused']);

export function createRecordUnmatched({ store, recovery, clock }: RecordUnmatchedParts): RecordUnmatched {
  return async (rail, { kind, reference, money }) => {
    const now = clock.now();
    if (NOTHING_MOVED.has(kind) || !isAfterRestore(await recovery(), now)) return false;
    const amount = money ? `, ${formatMoney(money)}` : '';
    await store.recordUnmatched({
      rail,
      day: utcDayOf(now),
      subject: reference,
      ...{ merchantId: null, payoutId: null, ours: 'unknown' },
      theirs: `${kind}${amount}`,
      by: 'notified',
      at: now,
    });
    return true;
  };
}

function isAfterRestore(recovery: Recovery | undefined, now: Instant): boolean {
  if (!recovery) return false;
  return recovery.completed === null || now < recovery.startedAt + REPEATED_FOR_MS;
}

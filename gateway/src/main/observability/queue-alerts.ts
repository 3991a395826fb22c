/** Decides when the queues raise an alert, with a table of rules for the samples of the queues. */

import type { QueueStatistics } from '../../domain/monitoring/queue-statistics.ts';
import { HOUR_MS, type Instant, MINUTE_MS } from '../../foundation/clock.ts';
import type { AlertKind } from './alert-kinds.ts';
import type { RaiseAlert } from './alerts.ts';

interface Rule {
  readonly kind: AlertKind;
  /** Returns one text for each problem, so an empty list means that there is none. */
  readonly find: (statistics: QueueStatistics, now: Instant) => readonly string[];
}

const DUE_TOO_LONG_MS = 2 * MINUTE_MS;
const UNKNOWN_TOO_LONG_MS = 1 * HOUR_MS;

const RULES: readonly Rule[] = [
  {
    kind: 'payouts_not_claimed',
    find: ({ payoutsDue }, now) =>
      payoutsDue
        .filter(({ oldestDueAt }) => isOver(oldestDueAt, DUE_TOO_LONG_MS, now))
        .map(({ rail, oldestDueAt }) => `rail ${rail}, the oldest for ${minutesSince(oldestDueAt, now)}`),
  },
  {
    kind: 'payouts_unknown',
    find: ({ payoutStages }, now) =>
      payoutStages
        .filter(({ stage, oldestSince }) => stage === 'unknown' && isOver(oldestSince, UNKNOWN_TOO_LONG_MS, now))
        .map(
          ({ rail, count, oldestSince }) => `rail ${rail}: ${count}, the oldest for ${minutesSince(oldestSince, now)}`,
        ),
  },
  {
    // Raised until a user resolves it: a payout may have been paid twice, and a process may end before its own alert.
    kind: 'payouts_differ',
    find: ({ differences }) =>
      differences
        .filter(({ kind }) => kind === 'contradiction')
        .map(({ rail, count }) => `rail ${rail}: ${count} open contradictions`),
  },
  {
    kind: 'callbacks_late',
    find: ({ callbacks: { oldestDueAt } }, now) =>
      isOver(oldestDueAt, DUE_TOO_LONG_MS, now) ? [`the oldest for ${minutesSince(oldestDueAt, now)}`] : [],
  },
];

export function raiseQueueAlerts(statistics: QueueStatistics, now: Instant, raise: RaiseAlert): void {
  for (const { kind, find } of RULES) {
    const found = find(statistics, now);
    if (found.length > 0) raise(kind, found.join('; '));
  }
}

function isOver(since: Instant | null, limitMs: number, now: Instant): boolean {
  return since !== null && now - since > limitMs;
}

function minutesSince(since: Instant | null, now: Instant): string {
  return `${Math.floor((now - (since ?? now)) / MINUTE_MS)} minutes`;
}

/**
 * Explains why a callback is not delivered, for every place where it can wait: the reason, since when, and the time of the
 * next automatic step. The contract has the messages (contract/texts/callback-waits.ts).
 */
import type { Instant } from '../../foundation/clock.ts';
import type { Explanation } from '../../foundation/explanation.ts';
import type { Callback, CallbackState, DeliveryOutcome } from './callback.ts';
import type { CallbackRecord, LaneState } from './callback-store.ts';
import { isOpen, RETRY_OFFSETS_MS } from './plan-delivery.ts';

/** The reasons why a due callback waits, and `undelivered`, which waits for a user. */
type WaitReason = 'first_attempt' | 'in_flight' | 'next_attempt' | 'server_failing' | 'undelivered';

export type CallbackExplanation = Explanation<WaitReason, WaitFacts>;

interface WaitFacts {
  /** The number of the next attempt in the schedule. */
  readonly attempt: number;
  readonly mostAttempts: number;
  /** The consecutive failures of the merchant's server. */
  readonly failures: number;
}

interface Situation {
  readonly callback: Callback;
  readonly lane: LaneState | null;
}

/** The columns with the time since when an item waits, and the time of the next automatic step. */
const TIMES: {
  readonly [Reason in WaitReason]: (situation: Situation) => Pick<CallbackExplanation, 'since' | 'nextAt'>;
} = {
  first_attempt: ({ callback }) => ({ since: callback.createdAt, nextAt: callback.dueAt }),
  in_flight: ({ callback, lane }) => ({
    since: callback.dueAt ?? callback.createdAt,
    nextAt: lane?.leaseUntil ?? null,
  }),
  next_attempt: ({ callback }) => ({ since: callback.firstAttemptAt ?? callback.createdAt, nextAt: callback.dueAt }),
  server_failing: ({ callback, lane }) => ({
    since: callback.firstAttemptAt ?? callback.createdAt,
    nextAt: lane?.breaker.pausedUntil ?? null,
  }),
  undelivered: ({ callback }) => ({ since: callback.finishedAt ?? callback.createdAt, nextAt: null }),
};

/** Returns undefined for a callback that no longer waits: delivered or unwanted. */
export function explainCallback(record: CallbackRecord, now: Instant): CallbackExplanation | undefined {
  const reason = REASONS[record.callback.state](record, now);
  if (reason === undefined) return undefined;
  const last = record.attempts.at(-1);
  const facts = {
    attempt: attemptsOfSchedule(record.callback) + 1,
    mostAttempts: RETRY_OFFSETS_MS.length,
    failures: record.lane?.breaker.failures ?? 0,
  };
  return { reason, facts, ...TIMES[reason](record), note: last ? OUTCOME_TEXTS[last.outcome] : '' };
}

const REASONS: { readonly [State in CallbackState]: (record: CallbackRecord, now: Instant) => WaitReason | undefined } =
  {
    due: dueReason,
    undelivered: () => 'undelivered',
    delivered: () => undefined,
    not_wanted: () => undefined,
  };

function dueReason({ callback, lane }: CallbackRecord, now: Instant): WaitReason {
  const isDue = (callback.dueAt ?? now) <= now;
  if (isDue && lane?.leaseUntil != null) return 'in_flight';
  const pausedUntil = lane && isOpen(lane.breaker) ? lane.breaker.pausedUntil : null;
  if (pausedUntil !== null && pausedUntil > Math.max(now, callback.dueAt ?? now)) return 'server_failing';
  return attemptsOfSchedule(callback) === 0 ? 'first_attempt' : 'next_attempt';
}

function attemptsOfSchedule(callback: Callback): number {
  return callback.attempts - callback.scheduleStart;
}

const OUTCOME_TEXTS: { readonly [Outcome in DeliveryOutcome]: string } = {
  accepted: 'accepted',
  refused_status: 'the last response was not a 2xx',
  refused_body: 'the last response was a 2xx but its body was not OK',
  redirected: 'the last response was a redirect, and the gateway does not follow redirects',
  timed_out: 'the last attempt got no complete response within 15 seconds',
  unreachable: 'the last attempt could not connect',
  forbidden_address: 'the URL is not allowed for callbacks',
  no_address: 'no URL is set',
};

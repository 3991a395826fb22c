/**
 * Explains why a callback is not delivered, for every place where it can wait: the reason, since when, the next
 * automatic step and its time, and the merchant's options. One exhaustive map, as explain-pending.ts has for payouts.
 */
import type { Instant } from '../../foundation/clock.ts';
import type { Explanation } from '../operators/explanation.ts';
import type { Callback, CallbackState, DeliveryOutcome } from './callback.ts';
import type { CallbackRecord, LaneState } from './callback-store.ts';
import { isOpen, RETRY_OFFSETS_MS } from './plan-delivery.ts';

/** The reasons why a due callback waits, and `undelivered`, which waits for a person. */
type WaitReason = 'first_attempt' | 'in_flight' | 'next_attempt' | 'server_failing' | 'undelivered';

export type CallbackExplanation = Explanation<WaitReason>;

interface Situation {
  readonly callback: Callback;
  readonly lane: LaneState | null;
}

type Texts = Pick<CallbackExplanation, 'waitsFor' | 'since' | 'next' | 'nextAt' | 'merchantCan'>;

const ANSWER_OK = 'make the address answer 2xx with the body OK within 15 seconds';

const EXPLANATIONS: { readonly [Reason in WaitReason]: (situation: Situation) => Texts } = {
  first_attempt: ({ callback }) => ({
    waitsFor: 'its first attempt',
    since: callback.createdAt,
    next: 'the gateway sends it',
    nextAt: callback.dueAt,
    merchantCan: 'wait',
  }),
  in_flight: ({ callback, lane }) => ({
    waitsFor: "the worker that delivers this merchant's callbacks now",
    since: callback.dueAt ?? callback.createdAt,
    next: 'the worker records the outcome; if it dies, another one takes over when the lease expires',
    nextAt: lane?.leaseUntil ?? null,
    merchantCan: 'wait',
  }),
  next_attempt: ({ callback }) => ({
    waitsFor: `attempt ${attemptsOfSchedule(callback) + 1} of ${RETRY_OFFSETS_MS.length}`,
    since: callback.firstAttemptAt ?? callback.createdAt,
    next: 'the gateway retries it with the same webhook-id',
    nextAt: callback.dueAt,
    merchantCan: `${ANSWER_OK}, or ask the operator to resend it now`,
  }),
  server_failing: ({ callback, lane }) => ({
    waitsFor: `the merchant's server, which failed ${lane?.breaker.failures} times in a row`,
    since: callback.firstAttemptAt ?? callback.createdAt,
    next: 'the gateway sends one callback as a probe; if the merchant acknowledges it, all others follow immediately',
    nextAt: lane?.breaker.pausedUntil ?? null,
    merchantCan: `${ANSWER_OK}, or ask the operator to resend one now, which ends the pause`,
  }),
  undelivered: ({ callback }) => ({
    waitsFor: 'the operator: every attempt failed, or no address is set',
    since: callback.finishedAt ?? callback.createdAt,
    next: 'nothing',
    nextAt: null,
    merchantCan: `set the address, ${ANSWER_OK}, then ask the operator to resend it; or read the result with the list call`,
  }),
};

/** Undefined for a callback that waits for nothing: delivered or unwanted. */
export function explainCallback(record: CallbackRecord, now: Instant): CallbackExplanation | undefined {
  const reason = REASONS[record.callback.state](record, now);
  if (reason === undefined) return undefined;
  const last = record.attempts.at(-1);
  return { reason, ...EXPLANATIONS[reason](record), note: last ? OUTCOME_TEXTS[last.outcome] : '' };
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
  refused_status: 'the last answer was not a 2xx',
  refused_body: 'the last answer was 2xx but its body was not OK',
  redirected: 'the last answer was a redirect, and redirects are not followed',
  timed_out: 'the last attempt had no complete answer within 15 seconds',
  unreachable: 'the last attempt could not connect',
  forbidden_address: 'the address is not allowed for callbacks',
  no_address: 'no address is set',
};

/** The next event of a pending payment, and its time. Times come from the gateway’s schedule and the pace of the rail. */
import type { Explanation, Pace } from '../../../../gateway/contract/parts/answer-parts.ts';
import type { WaitReason } from '../../../../gateway/contract/texts/wait-reasons.ts';

export type StepKind = 'approval' | 'send' | 'ask' | 'result' | 'pay' | 'decide' | 'callback';

export interface FutureStep {
  readonly kind: StepKind;
  /** The expected time, or the time by which most payments get there. Null if unknown. */
  readonly at: string | null;
  /** The time by which half of the payments complete. */
  readonly halfBy: string | null;
}

export interface Waiting {
  readonly pending: Explanation;
  readonly pace: Pace | null;
  /** When the payment was accepted. */
  readonly since: string;
}

/** The steps before the result, by the reason for which the payment waits. */
const BEFORE: Readonly<Record<WaitReason, readonly StepKind[]>> = {
  awaiting_approval: ['approval', 'send'],
  queued: ['send'],
  paused: ['send'],
  closed: ['send'],
  rail_down: ['send'],
  seal_broken: ['decide'],
  query_would_send: ['ask', 'send'],
  recovering: ['ask', 'send'],
  rail_missing: ['send'],
  sending: [],
  at_bank: ['ask'],
  unknown: ['ask'],
  paid_elsewhere: [],
  provider: ['pay'],
  step: ['pay'],
  retry: ['pay'],
  payer: ['pay'],
  grace: ['pay'],
  closing: [],
  decision: ['ask'],
  silence: ['ask'],
  overdue: ['ask'],
  operator: ['decide'],
  first_attempt: ['callback'],
  in_flight: ['callback'],
  next_attempt: ['callback'],
  server_failing: ['callback'],
  undelivered: ['decide'],
};
/** Not sent yet, so the pace counts from the sending. */
const UNSENT: ReadonlySet<WaitReason> = new Set(['queued', 'closed']);
const SENT: ReadonlySet<WaitReason> = new Set(['sending', 'at_bank', 'unknown', 'decision', 'silence']);

export function futureOf({ pending, pace, since }: Waiting, now: Date): readonly FutureStep[] {
  const before = BEFORE[pending.reason].map((kind, place) => ({
    kind,
    at: place === 0 ? pending.nextAt : null,
    halfBy: null,
  }));
  return [...before, resultOf({ pending, pace, since }, now), { kind: 'callback', at: null, halfBy: null }];
}

function resultOf({ pending, pace, since }: Waiting, now: Date): FutureStep {
  const begin = beginOf(pending, since, now);
  const after = (ms: number | null) => (begin === null || ms === null ? null : new Date(begin + ms).toISOString());
  return { kind: 'result', at: after(pace?.mostMs ?? null), halfBy: after(pace?.halfMs ?? null) };
}

function beginOf({ reason, nextAt }: Explanation, since: string, now: Date): number | null {
  if (SENT.has(reason)) return Date.parse(since);
  return UNSENT.has(reason) ? Math.max(now.getTime(), Date.parse(nextAt ?? since)) : null;
}

/** Returns how much of the usual time has passed, in percent, or null if it is unknown. */
export function progressOf({ pending, pace, since }: Waiting, now: Date): number | null {
  if (!SENT.has(pending.reason) || pace?.mostMs == null) return null;
  return Math.min(100, Math.max(2, Math.round(((now.getTime() - Date.parse(since)) / pace.mostMs) * 100)));
}

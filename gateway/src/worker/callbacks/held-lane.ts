/**
 * A merchant's lane while this worker holds it: the callbacks that are due, the breaker, the width, and the worker's next
 * step. It reads no clock, sends nothing and has no database; lane-turn.ts executes the steps.
 *
 * claim ──▶ send ◀──▶ wait ──▶ release
 * ▲ │
 * └── poll ◀┘
 */
import type { Callback, DeliveryOutcome } from '../../domain/callbacks/callback.ts';
import type { CallbackEvent } from '../../domain/callbacks/callback-events.ts';
import type { ClaimedLane } from '../../domain/callbacks/lane-store.ts';
import { afterAttempt, type Breaker, isOpen } from '../../domain/callbacks/plan-delivery.ts';
import { type Instant, SECOND_MS } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';

export interface HeldLane {
  readonly merchantId: MerchantId;
  readonly fence: number;
  /** From this time on the worker sends nothing, so that it records each outcome before the lease expires. */
  readonly sendUntil: Instant;
  /** Due callbacks without an attempt in flight, the oldest due time first. */
  readonly queue: Callback[];
  /** The ids of all callbacks read since the claim: each is attempted once. */
  readonly known: Set<string>;
  /** The ids recorded since the last poll. A poll that began before the record may return them again. */
  recorded: string[];
  breaker: Breaker;
  /** The limit on concurrent attempts: 1 at first, doubled by each success, and 1 again after a failure. */
  width: number;
  /** Attempts that wait for a socket or are in flight. */
  onWire: number;
  /** The number of attempts without a recorded outcome, including those in flight. */
  inFlight: number;
  /** The database may hold due callbacks that the queue does not. */
  mayHaveMore: boolean;
  /** The latest due time read. The next poll begins a little earlier and skips the recorded ones. */
  readUpTo: Instant;
  polledAt: Instant;
  sentAt: Instant;
  sent: number;
  /** The first failure of this process (not of a receiver), such as a lost connection or a bug. It ends the hold. */
  problem: unknown;
}

export interface LaneConditions {
  readonly now: Instant;
  readonly isStopping: boolean;
  /** The worker has lanes to spare, so an idle one may be kept for the next callback. */
  readonly mayLinger: boolean;
  /** The largest width. */
  readonly widest: number;
}

export type LaneStep = 'send' | 'poll' | 'wait' | 'release';

/** The number of due callbacks that a claim or a poll reads at a time. */
export const PAGE = 128;

/** The pause between two polls, and how long an idle lane is kept. */
export const POLL_EVERY_MS = 250;

/** A poll finds callbacks whose commit took up to this long. The release finds later ones. */
const LATE_COMMIT_MS = 5 * SECOND_MS;

/** The pause after a problem, so that the next worker does not retry in a tight loop. */
const REST_AFTER_PROBLEM_MS = 5 * SECOND_MS;

/** `mayHaveMore` is true if callbacks were committed during the claim, which may have missed them. */
export function holdLane(claimed: ClaimedLane, sendUntil: Instant, mayHaveMore: boolean, now: Instant): HeldLane {
  const { merchantId, fence, breaker, due } = claimed;
  return {
    merchantId,
    fence,
    sendUntil,
    queue: [...due],
    known: new Set(due.map(({ callbackId }) => callbackId)),
    recorded: [],
    breaker,
    width: 1,
    onWire: 0,
    inFlight: 0,
    mayHaveMore: mayHaveMore || due.length >= PAGE,
    readUpTo: due.at(-1)?.dueAt ?? 0,
    polledAt: now,
    sentAt: now,
    sent: 0,
    problem: undefined,
  };
}

/** The steps with their conditions. The first step whose condition holds is next. */
const STEPS: readonly (readonly [LaneStep, (lane: HeldLane, conditions: LaneConditions) => boolean])[] = [
  ['send', (lane, conditions) => lane.queue.length > 0 && lane.onWire < lane.width && maySend(lane, conditions)],
  ['poll', isPollDue],
  ['wait', (lane, conditions) => lane.inFlight > 0 || lingers(lane, conditions)],
  ['release', () => true],
];

export function laneStep(lane: HeldLane, conditions: LaneConditions): LaneStep {
  return STEPS.find(([, isNext]) => isNext(lane, conditions))?.[0] ?? 'release';
}

/** The caller checks this again immediately before each send, because a suspended process may have lost its lane. */
export function maySend({ problem, breaker, sendUntil }: HeldLane, { now, isStopping }: LaneConditions): boolean {
  return problem === undefined && !isStopping && breaker.pausedUntil === null && now < sendUntil;
}

function isPollDue(lane: HeldLane, conditions: LaneConditions): boolean {
  if (lane.onWire >= lane.width || lane.queue.length >= conditions.widest || !maySend(lane, conditions)) return false;
  if (lane.mayHaveMore) return true;
  return conditions.now - lane.polledAt >= POLL_EVERY_MS && (lane.inFlight > 0 || lingers(lane, conditions));
}

/**
 * Returns true if the worker keeps the lane for a moment after an attempt: the merchant's next callback then needs neither a
 * claim nor a release. If the process dies, the lane stays held until its lease expires.
 */
function lingers(lane: HeldLane, conditions: LaneConditions): boolean {
  const { now, mayLinger } = conditions;
  return lane.sent > 0 && mayLinger && now - lane.sentAt < POLL_EVERY_MS && maySend(lane, conditions);
}

/** Queues a callback that this process has just committed. Returns false if the queue is full, and a poll has to read it. */
export function enqueue(lane: HeldLane, callback: Callback): boolean {
  if (lane.mayHaveMore || lane.queue.length >= PAGE) return false;
  lane.known.add(callback.callbackId);
  lane.queue.push(callback);
  return true;
}

interface Poll {
  readonly from: Instant;
  readonly until: Instant;
  readonly limit: number;
}

export function beginPoll(lane: HeldLane, now: Instant): Poll {
  for (const callbackId of lane.recorded) lane.known.delete(callbackId);
  lane.recorded = [];
  lane.polledAt = now;
  return { from: lane.readUpTo - LATE_COMMIT_MS, until: now, limit: PAGE + lane.known.size };
}

export function endPoll(lane: HeldLane, due: readonly Callback[], { limit }: Poll): void {
  lane.readUpTo = due.at(-1)?.dueAt ?? lane.readUpTo;
  lane.mayHaveMore = due.length >= limit;
  for (const callback of due) {
    if (lane.known.has(callback.callbackId)) continue;
    lane.known.add(callback.callbackId);
    lane.queue.push(callback);
  }
}

/** Marks an attempt as sent. Returns true if it probes a merchant whose breaker is open. */
export function beginDelivery(lane: HeldLane, now: Instant): boolean {
  lane.sentAt = now;
  lane.sent++;
  return isOpen(lane.breaker);
}

/** Updates breaker and width by the outcome of an attempt. Returns the change of the breaker. */
export function endDelivery(
  lane: HeldLane,
  outcome: DeliveryOutcome,
  wasProbe: boolean,
  { now, widest }: LaneConditions,
): CallbackEvent | undefined {
  const { merchantId, breaker: before } = lane;
  lane.breaker = afterAttempt(before, outcome, wasProbe, now);
  lane.width = outcome === 'accepted' ? Math.min(lane.width * 2, widest) : 1;
  if (isOpen(before) && !isOpen(lane.breaker)) return { kind: 'lane_resumed', merchantId };
  const { failures, pausedUntil } = lane.breaker;
  if (pausedUntil === null || lane.breaker === before) return undefined;
  return { kind: 'lane_paused', merchantId, failures, until: pausedUntil };
}

/** Returns the breaker as the next holder finds it. */
export function breakerAtRelease({ breaker, problem }: HeldLane, now: Instant): Breaker {
  const { failures, pausedUntil } = breaker;
  if (problem === undefined) return { failures, pausedUntil };
  return { failures, pausedUntil: Math.max(pausedUntil ?? 0, now + REST_AFTER_PROBLEM_MS) };
}

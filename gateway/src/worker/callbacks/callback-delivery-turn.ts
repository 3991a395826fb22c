/**
 * One worker's turn at one merchant's lane: sends what is due, more at once while all goes well, records each outcome,
 * and lets the lane go when nothing has come for a moment or the turn is over. A turn is so much shorter than the lease
 * that no lease is ever renewed: what was sent in time is recorded in time.
 */
import type { Callback, DeliveryReport } from '../../domain/callbacks/callback.ts';
import type { CallbackEventSink } from '../../domain/callbacks/callback-events.ts';
import type { CallbackQueue, ClaimedLane, LaneRelease } from '../../domain/callbacks/callback-store.ts';
import type { CallbackTransport } from '../../domain/callbacks/callback-transport.ts';
import { type RecordedDelivery, recordDelivery } from '../../domain/callbacks/record-delivery.ts';
import type { MerchantWithKeys } from '../../domain/merchants/merchant.ts';
import type { MerchantDirectory } from '../../domain/merchants/merchant-directory.ts';
import { type Clock, type Instant, SECOND_MS } from '../../foundation/clock.ts';
import type { Random } from '../../foundation/ids.ts';
import type { Timeouts } from '../../foundation/timeouts.ts';
import type { DeliveryMemory } from './callback-delivery-memory.ts';
import { createLanePace, type LanePace } from './callback-delivery-pace.ts';
import type { DeliveryPermits, Permit } from './callback-delivery-permits.ts';

export interface TurnParts {
  readonly queue: CallbackQueue;
  readonly transport: CallbackTransport;
  readonly directory: MerchantDirectory;
  readonly permits: DeliveryPermits;
  readonly clock: Clock;
  readonly random: Random;
  readonly onEvent: CallbackEventSink;
  readonly memory: DeliveryMemory;
  /** After this long a request counts among the slow ones. */
  readonly slow: Timeouts;
  /** Attempts under way at once for one merchant. */
  readonly perMerchant: number;
  /** Nothing is sent later than this before the lease ends. */
  readonly sendingEndsMs: number;
  /** Aborts what is on the wire when a stop has waited long enough. */
  readonly cutOff: AbortSignal;
  /** True once nothing new may be sent. */
  readonly isStopping: () => boolean;
  /** True while there are lanes to spare, so that one may be kept for what comes next. */
  readonly mayLinger: () => boolean;
}

export interface LaneTurn {
  /**
   * Takes a callback that was committed a moment ago, so that nobody has to look for it. False: the turn is ending, and
   * what the lane holds is found when it is let go.
   */
  offer(callback: Callback): boolean;
  /** Has the turn see at once whether it may still send. */
  wake(): void;
  /**
   * True when the lane let go of has something due already. Rejects with what ended the turn before its time; the lane then
   * rests for a moment or, where it could not be let go of, until its lease ends.
   */
  readonly ended: Promise<boolean>;
}

/** The longest attempt and its recording fit in. */
export const SENDING_ENDS_BEFORE_LEASE_MS = 20 * SECOND_MS;
/** How many due callbacks are read at a time. */
export const PAGE = 128;
/** How often to look for what became due meanwhile, and how long a lane is kept when nothing more is to be sent. */
const LOOK_AGAIN_MS = 250;
/** Of a lane that is worth keeping so long, at least this many were sent in this turn. */
const BUSY = 4;
/** A commit that took this long is still seen by the next look; a longer one when the lane is let go. */
const LATE_COMMIT_MS = 5 * SECOND_MS;
/** A fault of ours (a lost database, a bug) must not be tried in a tight loop. */
const REST_AFTER_PROBLEM_MS = 5 * SECOND_MS;
/** A reason spares the making of an exception that nobody sees, on every attempt. */
const WOKEN = 'something has changed';

/** What a turn knows as it goes. */
interface Turn {
  readonly parts: TurnParts;
  readonly lane: ClaimedLane;
  readonly sendUntil: Instant;
  readonly pace: LanePace;
  /** Due, and not begun. */
  readonly waiting: Callback[];
  /** Read in this turn, so not to be begun again; what is `recorded` leaves it with the next look. */
  readonly known: Set<string>;
  /** A look that began before the recording still shows a callback as it was: it must not be sent twice. */
  recorded: string[];
  readonly underWay: Set<Promise<void>>;
  mayHaveMore: boolean;
  /** The due time reached: the next look begins a little before it, so as not to wade through all that is done. */
  reached: Instant;
  lookedAt: Instant;
  /** When something was last sent, and how often. */
  busyAt: Instant;
  sent: number;
  isEnding: boolean;
  wake: AbortController;
  /** What ended the turn before its time. */
  problem: unknown;
}

/** `mayHaveMore`: something was told since the lane was claimed, perhaps too late for the claim to have brought it. */
export function takeTurn(parts: TurnParts, lane: ClaimedLane, mayHaveMore: boolean): LaneTurn {
  const turn = beginTurn(parts, lane, mayHaveMore);
  return {
    offer: (callback) => offer(turn, callback),
    wake: () => turn.wake.abort(WOKEN),
    ended: run(turn),
  };
}

async function run(turn: Turn): Promise<boolean> {
  const { queue, clock } = turn.parts;
  for (;;) {
    sendWhatMay(turn);
    if (shouldLook(turn)) {
      await lookForMore(turn).catch((error: unknown) => {
        turn.problem ??= error;
      });
    } else if (turn.underWay.size > 0 || lingers(turn)) {
      turn.wake = new AbortController();
      await clock.sleep(LOOK_AGAIN_MS, turn.wake.signal);
    } else break;
  }
  turn.isEnding = true;
  const isDueAgain = await queue.release(releaseOf(turn));
  if (turn.problem !== undefined) throw turn.problem;
  return isDueAgain;
}

/** More than a page is left where it lies: it is read when its turn has come. */
function offer(turn: Turn, callback: Callback): boolean {
  if (turn.isEnding || !maySend(turn)) return false;
  const remembered = turn.parts.memory.ask(callback);
  if (remembered === 'recorded' || turn.known.has(callback.callbackId)) return true;
  if (remembered === 'too_old' || turn.mayHaveMore || turn.waiting.length >= PAGE) {
    turn.mayHaveMore = true;
    if (shouldLook(turn)) turn.wake.abort(WOKEN);
  } else {
    turn.known.add(callback.callbackId);
    turn.waiting.push(callback);
    sendWhatMay(turn);
  }
  return true;
}

/**
 * A merchant who was told a lot will be told more: a lane that is kept for a moment needs no new claim. A quiet one's is
 * let go, since what a killed process holds waits until the lease is over.
 */
function lingers(turn: Turn): boolean {
  const { parts, busyAt, sent } = turn;
  return sent >= BUSY && maySend(turn) && parts.mayLinger() && parts.clock.now() - busyAt < LOOK_AGAIN_MS;
}

/** If the lane is another's by now, the fence makes nothing of this. */
function releaseOf({ parts, lane, pace, problem }: Turn): LaneRelease {
  const { merchantId, fence } = lane;
  const now = parts.clock.now();
  const { failures, pausedUntil } = pace.breaker();
  const rest = problem === undefined ? pausedUntil : Math.max(pausedUntil ?? 0, now + REST_AFTER_PROBLEM_MS);
  return { merchantId, fence, now, breaker: { failures, pausedUntil: rest } };
}

function beginTurn(parts: TurnParts, lane: ClaimedLane, mayHaveMore: boolean): Turn {
  const { clock, perMerchant, sendingEndsMs, onEvent } = parts;
  return {
    parts,
    lane,
    sendUntil: lane.leaseUntil - sendingEndsMs,
    pace: createLanePace(lane.merchantId, lane.breaker, perMerchant, clock, onEvent),
    waiting: [...lane.due],
    known: new Set(lane.due.map(({ callbackId }) => callbackId)),
    recorded: [],
    underWay: new Set(),
    mayHaveMore: mayHaveMore || lane.due.length >= PAGE,
    reached: lane.due.at(-1)?.dueAt ?? 0,
    lookedAt: clock.now(),
    busyAt: clock.now(),
    sent: 0,
    isEnding: false,
    wake: new AbortController(),
    problem: undefined,
  };
}

/** Asked again immediately before each send: a process that was stopped for a while holds its lane no more. */
function maySend({ parts, pace, problem, sendUntil }: Turn): boolean {
  return problem === undefined && !parts.isStopping() && !pace.isPaused() && parts.clock.now() < sendUntil;
}

function sendWhatMay(turn: Turn): void {
  while (turn.pace.hasRoom() && maySend(turn)) {
    const callback = turn.waiting.shift();
    if (callback === undefined) return;
    turn.pace.begin();
    const done = attempt(turn, callback)
      .catch((error: unknown) => {
        turn.problem ??= error;
      })
      .finally(() => {
        turn.underWay.delete(done);
        if (needsWaking(turn)) turn.wake.abort(WOKEN);
      });
    turn.underWay.add(done);
  }
}

/** Otherwise the turn sees by itself, within its usual time, how things stand. */
function needsWaking(turn: Turn): boolean {
  return turn.problem !== undefined || shouldLook(turn) || (turn.underWay.size === 0 && !lingers(turn));
}

/** The next one may start as soon as this one is off the wire; its recording shares a commit with others'. */
async function attempt(turn: Turn, callback: Callback): Promise<void> {
  const delivery = await send(turn, callback).finally(() => turn.pace.end());
  sendWhatMay(turn);
  if (delivery === undefined) return;
  const { parts, lane } = turn;
  const { callbackId } = callback;
  const { merchantId, fence } = lane;
  const isRecorded = await parts.queue.record({ merchantId, fence, callbackId, delivery });
  if (!isRecorded) throw new Error('the lane has another holder');
  turn.recorded.push(callbackId);
  parts.memory.recorded(callback);
  tell(parts.onEvent, callback, delivery);
}

/** Undefined: not sent, or cut off by a stop; the callback stays due as it is. */
async function send(turn: Turn, callback: Callback): Promise<RecordedDelivery | undefined> {
  const { parts, pace } = turn;
  const permit = await parts.permits.acquire();
  try {
    const recipient = await parts.directory.find(callback.merchantId);
    if (!maySend(turn)) return undefined;
    const noteOutcome = pace.sending();
    const startedAt = parts.clock.now();
    turn.busyAt = startedAt;
    turn.sent += 1;
    const report = recipient ? await deliver(parts, callback, recipient, permit) : NO_SUCH_MERCHANT;
    if (parts.cutOff.aborted) return undefined;
    noteOutcome(report.outcome);
    return recordDelivery(callback, report, startedAt, parts.random);
  } finally {
    permit.release();
  }
}

function shouldLook(turn: Turn): boolean {
  const { parts, pace, waiting, underWay } = turn;
  if (!maySend(turn) || !pace.hasRoom() || waiting.length >= parts.perMerchant) return false;
  if (turn.mayHaveMore) return true;
  return (underWay.size > 0 || lingers(turn)) && parts.clock.now() - turn.lookedAt >= LOOK_AGAIN_MS;
}

async function lookForMore(turn: Turn): Promise<void> {
  const { parts, lane, known, waiting } = turn;
  for (const callbackId of turn.recorded) known.delete(callbackId);
  turn.recorded = [];
  turn.lookedAt = parts.clock.now();
  const limit = PAGE + known.size;
  const due = await parts.queue.due(lane.merchantId, turn.reached - LATE_COMMIT_MS, turn.lookedAt, limit);
  turn.reached = due.at(-1)?.dueAt ?? turn.reached;
  turn.mayHaveMore = due.length >= limit;
  for (const callback of due) {
    if (known.has(callback.callbackId)) continue;
    known.add(callback.callbackId);
    waiting.push(callback);
  }
}

const NO_SUCH_MERCHANT: DeliveryReport = {
  outcome: 'no_address',
  httpStatus: null,
  latencyMs: 0,
  reply: 'No such merchant',
  retryAfterMs: null,
};

async function deliver(
  parts: TurnParts,
  callback: Callback,
  recipient: MerchantWithKeys,
  permit: Permit,
): Promise<DeliveryReport> {
  const answered = parts.slow.start(permit.moveToSlow);
  try {
    return await parts.transport.deliver(callback, recipient, parts.cutOff);
  } finally {
    answered();
  }
}

function tell(onEvent: CallbackEventSink, callback: Callback, delivery: RecordedDelivery): void {
  const { merchantId, callbackId, createdAt } = callback;
  const { attempt, next, finishedAt } = delivery;
  const { outcome, httpStatus, latencyMs, startedAt } = attempt;
  const waitedMs = attempt.attempt === 1 ? startedAt - createdAt : null;
  onEvent({
    kind: 'attempted',
    merchantId,
    callbackId,
    attempt: attempt.attempt,
    outcome,
    httpStatus,
    latencyMs,
    waitedMs,
  });
  if (next.state === 'delivered') onEvent({ kind: 'delivered', merchantId, callbackId, ageMs: finishedAt - createdAt });
  if (next.state === 'undelivered') onEvent({ kind: 'undelivered', merchantId, callbackId, outcome });
}

/**
 * Takes one worker's turn at one merchant's lane: it executes the steps of held-lane.ts until it releases the lane. A turn
 * never renews its lease. It is much shorter than the lease, so it records each attempt before the lease expires. Decisions
 * belong to held-lane.ts.
 */
import type { Callback, DeliveryReport } from '../../domain/callbacks/callback.ts';
import type { CallbackEventSink } from '../../domain/callbacks/callback-events.ts';
import type { CallbackTransport } from '../../domain/callbacks/callback-transport.ts';
import type { ClaimedLane, LaneStore } from '../../domain/callbacks/lane-store.ts';
import { type PlannedDelivery, planDelivery } from '../../domain/callbacks/plan-delivery.ts';
import type { MerchantWithKeys } from '../../domain/merchants/merchant.ts';
import type { MerchantDirectory } from '../../domain/merchants/merchant-directory.ts';
import { type Clock, SECOND_MS } from '../../foundation/clock.ts';
import type { Random } from '../../foundation/random.ts';
import type { Timeouts } from '../../foundation/timeouts.ts';
import type { DeliveryPermits, Permit } from './delivery-permits.ts';
import {
  beginDelivery,
  beginPoll,
  breakerAtRelease,
  endDelivery,
  endPoll,
  enqueue,
  type HeldLane,
  holdLane,
  type LaneConditions,
  laneStep,
  maySend,
  POLL_EVERY_MS,
} from './held-lane.ts';
import type { RecentDeliveries } from './recent-deliveries.ts';

export interface TurnParts {
  readonly store: LaneStore;
  readonly transport: CallbackTransport;
  readonly directory: MerchantDirectory;
  readonly permits: DeliveryPermits;
  readonly clock: Clock;
  readonly random: Random;
  readonly onEvent: CallbackEventSink;
  readonly recent: RecentDeliveries;
  /** The timeout after which a request in flight moves to the slow pool. */
  readonly slow: Timeouts;
  /** The limit on concurrent attempts for one merchant. */
  readonly perMerchant: number;
  /** The worker sends nothing during this last part of the lease. */
  readonly sendingEndsMs: number;
  /** Aborts the requests in flight when a stop has waited for `drainMs`. */
  readonly cutOff: AbortSignal;
  /** True once the process is stopping. */
  readonly isStopping: () => boolean;
  /** True while the worker has free lanes. */
  readonly mayLinger: () => boolean;
}

export interface LaneTurn {
  /** Offers a callback that this process has just committed. False if the turn is ending: the release then finds it. */
  offer(callback: Callback): boolean;
  /** Makes the turn check immediately whether it may still send. */
  wake(): void;
  /**
   * Resolves to true if the released lane already has another due callback. Rejects with the problem that ended the turn
   * early. The lane then pauses for a moment or, if the release failed, until its lease expires.
   */
  readonly ended: Promise<boolean>;
}

/** Long enough for the slowest attempt and its record. */
export const SENDING_ENDS_BEFORE_LEASE_MS = 20 * SECOND_MS;

/** An abort with a fixed reason avoids creating an unused exception on every attempt. */
const WOKEN = 'the lane has changed';

interface Turn {
  readonly parts: TurnParts;
  readonly lane: HeldLane;
  alarm: AbortController;
  isEnding: boolean;
}

/** `mayHaveMore` is true if callbacks were committed during the claim, which may have missed them. */
export function beginTurn(parts: TurnParts, claimed: ClaimedLane, mayHaveMore: boolean): LaneTurn {
  const lane = holdLane(claimed, claimed.leaseUntil - parts.sendingEndsMs, mayHaveMore, parts.clock.now());
  const turn: Turn = { parts, lane, alarm: new AbortController(), isEnding: false };
  return { offer: (callback) => offer(turn, callback), wake: () => wake(turn), ended: run(turn) };
}

async function run(turn: Turn): Promise<boolean> {
  const { lane, parts } = turn;
  for (let step = stepOf(turn); step !== 'release'; step = stepOf(turn)) {
    if (step === 'send') sendAll(turn);
    else if (step === 'poll') await poll(turn);
    else await rest(turn);
  }
  turn.isEnding = true;
  const now = parts.clock.now();
  const { merchantId, fence } = lane;
  // With an outdated fence this has no effect, because another worker holds the lane.
  const isDueAgain = await parts.store.release({ merchantId, fence, now, breaker: breakerAtRelease(lane, now) });
  if (lane.problem !== undefined) throw lane.problem;
  return isDueAgain;
}

function stepOf(turn: Turn) {
  return laneStep(turn.lane, conditionsOf(turn));
}

function conditionsOf({ parts }: Turn): LaneConditions {
  return {
    now: parts.clock.now(),
    isStopping: parts.isStopping(),
    mayLinger: parts.mayLinger(),
    widest: parts.perMerchant,
  };
}

function wake({ alarm }: Turn): void {
  alarm.abort(WOKEN);
}

async function rest(turn: Turn): Promise<void> {
  turn.alarm = new AbortController();
  await turn.parts.clock.sleep(POLL_EVERY_MS, turn.alarm.signal);
}

async function poll(turn: Turn): Promise<void> {
  const { lane, parts } = turn;
  const wanted = beginPoll(lane, parts.clock.now());
  try {
    endPoll(lane, await parts.store.due(lane.merchantId, wanted.from, wanted.until, wanted.limit), wanted);
  } catch (error) {
    lane.problem ??= error;
  }
}

function offer(turn: Turn, callback: Callback): boolean {
  const { lane, parts } = turn;
  if (turn.isEnding || !maySend(lane, conditionsOf(turn))) return false;
  const known = parts.recent.ask(callback);
  if (known === 'recorded' || lane.known.has(callback.callbackId)) return true;
  if (known === 'unsent' && enqueue(lane, callback)) sendAll(turn);
  else {
    lane.mayHaveMore = true;
    if (stepOf(turn) === 'poll') wake(turn);
  }
  return true;
}

function sendAll(turn: Turn): void {
  const { lane } = turn;
  while (stepOf(turn) === 'send') {
    const callback = lane.queue.shift();
    if (callback === undefined) return;
    lane.onWire++;
    lane.inFlight++;
    void attempt(turn, callback)
      .catch((error: unknown) => {
        lane.problem ??= error;
      })
      .finally(() => {
        lane.inFlight--;
        if (stepOf(turn) !== 'wait') wake(turn);
      });
  }
}

/** The next attempt may begin as soon as this one has its response. The record shares a group commit with others. */
async function attempt(turn: Turn, callback: Callback): Promise<void> {
  const { lane, parts } = turn;
  const delivery = await send(turn, callback).finally(() => lane.onWire--);
  sendAll(turn);
  if (delivery === undefined) return;
  const { merchantId, fence } = lane;
  const { callbackId } = callback;
  const isRecorded = await parts.store.record({ merchantId, fence, callbackId, delivery });
  if (!isRecorded) throw new Error('the lane has another holder');
  lane.recorded.push(callbackId);
  parts.recent.recorded(callback);
  report(parts.onEvent, callback, delivery);
}

/** Resolves to undefined if the worker did not send the attempt, or a stop aborted it. The callback stays due. */
async function send(turn: Turn, callback: Callback): Promise<PlannedDelivery | undefined> {
  const { lane, parts } = turn;
  const permit = await parts.permits.acquire();
  try {
    const recipient = await parts.directory.find(callback.merchantId);
    const conditions = conditionsOf(turn);
    if (!maySend(lane, conditions)) return undefined;
    const wasProbe = beginDelivery(lane, conditions.now);
    const delivered = recipient ? await deliver(parts, callback, recipient, permit) : NO_SUCH_MERCHANT;
    if (parts.cutOff.aborted) return undefined;
    const change = endDelivery(lane, delivered.outcome, wasProbe, conditionsOf(turn));
    if (change) parts.onEvent(change);
    return planDelivery(callback, delivered, { at: conditions.now, random: parts.random });
  } finally {
    permit.release();
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

function report(onEvent: CallbackEventSink, callback: Callback, delivery: PlannedDelivery): void {
  const { merchantId, callbackId, createdAt } = callback;
  const { attempt: made, next, finishedAt } = delivery;
  const { attempt: number, outcome, httpStatus, latencyMs, startedAt } = made;
  const waitedMs = number === 1 ? startedAt - createdAt : null;
  onEvent({ kind: 'attempted', merchantId, callbackId, attempt: number, outcome, httpStatus, latencyMs, waitedMs });
  if (next.state === 'delivered') onEvent({ kind: 'delivered', merchantId, callbackId, ageMs: finishedAt - createdAt });
  if (next.state === 'undelivered') onEvent({ kind: 'undelivered', merchantId, callbackId, outcome });
}

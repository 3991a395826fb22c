/**
 * One worker's turn at one merchant's lane: sends what is due, as many at once as the cap and the breaker allow, records
 * each outcome, and lets the lane go when nothing is left or the turn is over. A turn is so much shorter than the lease
 * that no lease is ever renewed: what was sent in time is recorded in time.
 */
import type { Callback, DeliveryReport } from '../domain/callbacks/callback.ts';
import type { CallbackEventSink } from '../domain/callbacks/callback-events.ts';
import type { CallbackQueue, ClaimedLane } from '../domain/callbacks/callback-store.ts';
import type { CallbackTransport } from '../domain/callbacks/callback-transport.ts';
import { afterAttempt, type Breaker, isOpen } from '../domain/callbacks/delivery-breaker.ts';
import { type RecordedDelivery, recordDelivery } from '../domain/callbacks/record-delivery.ts';
import type { MerchantDirectory } from '../domain/merchants/merchant-directory.ts';
import { type Clock, SECOND_MS } from '../foundation/clock.ts';
import type { Random } from '../foundation/ids.ts';
import type { DeliveryPermits, Permit } from './callback-delivery-permits.ts';

export interface TurnParts {
  readonly queue: CallbackQueue;
  readonly transport: CallbackTransport;
  readonly directory: MerchantDirectory;
  readonly permits: DeliveryPermits;
  readonly clock: Clock;
  readonly random: Random;
  readonly onEvent: CallbackEventSink;
  /** Attempts under way at once for one merchant. */
  readonly perMerchant: number;
  /** Aborts what is on the wire when a stop has waited long enough. */
  readonly cutOff: AbortSignal;
  /** True once nothing new may be sent. */
  readonly isStopping: () => boolean;
}

/** Nothing is sent later than this before the lease ends: the longest attempt and its recording fit in. */
export const SENDING_ENDS_BEFORE_LEASE_MS = 20 * SECOND_MS;
/** How many due callbacks are read at a time. */
export const PAGE = 128;
/** In flight for longer than this, a request counts among the slow ones. */
const SLOW_AFTER_MS = 1 * SECOND_MS;
/** While requests are under way, how often to look for what became due meanwhile. */
const LOOK_AGAIN_MS = 250;

/** True when the lane let go of has something due already. Rejects with the lane still leased: after that, it is ready again. */
export async function takeTurn(parts: TurnParts, lane: ClaimedLane): Promise<boolean> {
  const { queue, clock, onEvent } = parts;
  const { merchantId } = lane;
  const sendUntil = lane.leaseUntil - SENDING_ENDS_BEFORE_LEASE_MS;
  const waiting = [...lane.due];
  /** Everything read in this turn whose outcome is not recorded. */
  const known = new Set(waiting.map(({ callbackId }) => callbackId));
  const underWay = new Set<Promise<void>>();
  let breaker: Breaker = lane.breaker;
  let sending = 0;
  let mayHaveMore = waiting.length >= PAGE;
  let lookedAt = clock.now();
  let wake = new AbortController();
  let problem: unknown;

  const hasRoom = () => sending < (isOpen(breaker) ? 1 : parts.perMerchant);
  /** Asked again immediately before each send: a process that was stopped for a while holds its lane no more. */
  const maySend = () =>
    problem === undefined && !parts.isStopping() && breaker.pausedUntil === null && clock.now() < sendUntil;

  function sendWhatMay(): void {
    while (hasRoom() && maySend()) {
      const callback = waiting.shift();
      if (callback === undefined) return;
      sending++;
      const done = attempt(callback)
        .catch((error: unknown) => {
          problem ??= error;
        })
        .finally(() => {
          underWay.delete(done);
          wake.abort();
        });
      underWay.add(done);
    }
  }

  /** The next one may start as soon as this one is off the wire; its recording shares a commit with others'. */
  async function attempt(callback: Callback): Promise<void> {
    const delivery = await send(callback).finally(() => {
      sending--;
    });
    sendWhatMay();
    if (delivery !== undefined) await record(callback, delivery);
  }

  /** Undefined: not sent, or cut off by a stop; the callback stays due as it is. */
  async function send(callback: Callback): Promise<RecordedDelivery | undefined> {
    const permit = await parts.permits.acquire();
    try {
      if (!maySend()) return undefined;
      const wasProbe = isOpen(breaker);
      const startedAt = clock.now();
      const report = await deliver(parts, callback, permit);
      if (parts.cutOff.aborted) return undefined;
      noteOutcome(report, wasProbe);
      return recordDelivery(callback, report, startedAt, parts.random);
    } finally {
      permit.release();
    }
  }

  function noteOutcome({ outcome }: DeliveryReport, wasProbe: boolean): void {
    const before = breaker;
    breaker = afterAttempt(before, outcome, wasProbe, clock.now());
    if (isOpen(before) && !isOpen(breaker)) onEvent({ kind: 'lane_resumed', merchantId });
    if (breaker.pausedUntil !== null && breaker !== before) {
      onEvent({ kind: 'lane_paused', merchantId, failures: breaker.failures, until: breaker.pausedUntil });
    }
  }

  async function record(callback: Callback, delivery: RecordedDelivery): Promise<void> {
    const { callbackId } = callback;
    const isRecorded = await queue.record({ merchantId, fence: lane.fence, callbackId, delivery });
    if (!isRecorded) throw new Error('the lane has another holder');
    known.delete(callbackId);
    tell(onEvent, callback, delivery);
  }

  function shouldLook(): boolean {
    if (!maySend() || !hasRoom() || waiting.length >= parts.perMerchant) return false;
    return mayHaveMore || (underWay.size > 0 && clock.now() - lookedAt >= LOOK_AGAIN_MS);
  }

  async function look(): Promise<void> {
    lookedAt = clock.now();
    const limit = PAGE + known.size;
    const due = await queue.due(merchantId, lookedAt, limit);
    mayHaveMore = due.length >= limit;
    for (const callback of due) {
      if (known.has(callback.callbackId)) continue;
      known.add(callback.callbackId);
      waiting.push(callback);
    }
  }

  for (;;) {
    sendWhatMay();
    if (shouldLook()) {
      await look().catch((error: unknown) => {
        problem ??= error;
      });
    } else if (underWay.size > 0) {
      wake = new AbortController();
      await clock.sleep(LOOK_AGAIN_MS, wake.signal);
    } else break;
  }
  if (problem !== undefined) throw problem;
  return queue.release({ merchantId, fence: lane.fence, now: clock.now(), breaker });
}

async function deliver(parts: TurnParts, callback: Callback, permit: Permit): Promise<DeliveryReport> {
  const recipient = await parts.directory.find(callback.merchantId);
  if (recipient === undefined) {
    return { outcome: 'no_address', httpStatus: null, latencyMs: 0, reply: 'No such merchant', retryAfterMs: null };
  }
  const answered = new AbortController();
  void parts.clock.sleep(SLOW_AFTER_MS, answered.signal).then(() => {
    if (!answered.signal.aborted) permit.moveToSlow();
  });
  try {
    return await parts.transport.deliver(callback, recipient, parts.cutOff);
  } finally {
    answered.abort();
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

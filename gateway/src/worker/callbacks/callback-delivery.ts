/**
 * Delivers callbacks: claims lanes, one per merchant, and takes a turn at each, concurrently. lane-turn.ts implements a turn,
 * and held-lane.ts its decisions. The store knows which callbacks are due and which process holds which lane. Several processes
 * may deliver concurrently. Nothing here writes SQL or signs a callback.
 */
import type { Callback, NewCallback } from '../../domain/callbacks/callback.ts';
import type { ClaimedLane } from '../../domain/callbacks/lane-store.ts';
import { afterDelay, SECOND_MS } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { createTimeouts } from '../../foundation/timeouts.ts';
import { createRounds } from '../rounds.ts';
import { createDeliveryPermits } from './delivery-permits.ts';
import { PAGE } from './held-lane.ts';
import { beginTurn, type LaneTurn, SENDING_ENDS_BEFORE_LEASE_MS, type TurnParts } from './lane-turn.ts';
import { createRecentDeliveries } from './recent-deliveries.ts';

interface CallbackDeliveryParts
  extends Pick<TurnParts, 'store' | 'transport' | 'directory' | 'clock' | 'random' | 'onEvent'> {
  /** Resolves to false if the clocks of this machine and the database differ too much. The worker then claims nothing. */
  readonly clockIsRight: () => Promise<boolean>;
  readonly limits?: Partial<DeliveryLimits>;
}

export interface DeliveryLimits {
  /** The maximum number of concurrent requests for one merchant. */
  readonly perMerchant: number;
  /**
   * The maximum number of concurrent requests over all merchants. The fast pool holds requests younger than a second, the slow
   * pool all others.
   */
  readonly fastSockets: number;
  readonly slowSockets: number;
  /** The maximum number of lanes that a process holds concurrently. */
  readonly lanes: number;
  /** When the worker stops, it waits this long for responses, then aborts the requests. */
  readonly drainMs: number;
  /**
   * After this time, another worker may claim the lane of a crashed worker. The holder does not start a request in the last
   * `sendingEndsMs`.
   */
  readonly leaseMs: number;
  readonly sendingEndsMs: number;
}

export interface CallbackDelivery {
  start(): void;
  /** Polls for due callbacks without waiting for the next round. */
  nudge(): void;
  /** Receives callbacks that this process has just committed. It sends those of a lane that it holds without another query. */
  committed(callbacks: readonly NewCallback[]): void;
  /** Sends nothing new. Resolves when the outcome of each request in flight is recorded, or the request is aborted. */
  stop(): Promise<void>;
  inFlight(): { readonly lanes: number; readonly fast: number; readonly slow: number };
}

export const LEASE_MS = 60 * SECOND_MS;

const DEFAULT_LIMITS: DeliveryLimits = {
  perMerchant: 8,
  fastSockets: 512,
  slowSockets: 2_048,
  lanes: 2_048,
  drainMs: 16 * SECOND_MS,
  leaseMs: LEASE_MS,
  sendingEndsMs: SENDING_ENDS_BEFORE_LEASE_MS,
};

/** After this time in flight, a request moves to the slow pool. */
const SLOW_AFTER_MS = 1 * SECOND_MS;

/** The limit lets several processes share a backlog. Each round claims the lanes that waited longest first. */
const LANES_PER_ROUND = 64;

export function createCallbackDelivery(parts: CallbackDeliveryParts): CallbackDelivery {
  const { store, clock, onEvent } = parts;
  const limits = { ...DEFAULT_LIMITS, ...parts.limits };
  const permits = createDeliveryPermits(limits.fastSockets, limits.slowSockets);
  const turns = new Map<LaneTurn, Promise<void>>();
  /** The latest turn of each merchant. The turn of an expired lease may still be running. */
  const turnOf = new Map<MerchantId, LaneTurn>();
  /**
   * Merchants whose callback committed while this process did not hold their lane. A concurrent claim may have missed it, so the
   * next round claims again.
   */
  const dueMeanwhile = new Set<MerchantId>();
  const cutOff = new AbortController();
  const rounds = createRounds({
    clock,
    round,
    onFailed: (error) => onEvent({ kind: 'claim_failed', reason: String(error) }),
  });
  const turnParts: TurnParts = {
    ...parts,
    permits,
    perMerchant: limits.perMerchant,
    sendingEndsMs: limits.sendingEndsMs,
    cutOff: cutOff.signal,
    isStopping: rounds.isStopping,
    recent: createRecentDeliveries(clock),
    slow: createTimeouts(clock, SLOW_AFTER_MS),
    mayLinger: () => turns.size <= limits.lanes / 2,
  };

  async function round(): Promise<boolean> {
    const lanes = Math.min(LANES_PER_ROUND, limits.lanes - turns.size);
    if (lanes <= 0 || !(await parts.clockIsRight())) return false;
    const now = clock.now();
    const claimed = await store.claim({ now, leaseUntil: now + limits.leaseMs, lanes, callbacks: PAGE });
    for (const lane of claimed) track(lane);
    return claimed.length === lanes;
  }

  function track(lane: ClaimedLane): void {
    const { merchantId } = lane;
    const turn = beginTurn(turnParts, lane, dueMeanwhile.delete(merchantId));
    turnOf.set(merchantId, turn);
    turns.set(turn, end(turn, merchantId));
  }

  async function end(turn: LaneTurn, merchantId: MerchantId): Promise<void> {
    const isDueAgain = await turn.ended.catch((error: unknown) => {
      onEvent({ kind: 'lane_abandoned', merchantId, reason: String(error) });
      return false;
    });
    const wasFull = turns.size >= limits.lanes;
    turns.delete(turn);
    if (turnOf.get(merchantId) === turn) turnOf.delete(merchantId);
    if (isDueAgain || wasFull) rounds.nudge();
  }

  function committed(callbacks: readonly NewCallback[]): void {
    for (const callback of callbacks) {
      const { merchantId, state } = callback;
      if (state !== 'due' || turnOf.get(merchantId)?.offer(asInserted(callback))) continue;
      dueMeanwhile.add(merchantId);
      rounds.nudge();
    }
  }

  return {
    start: rounds.start,
    nudge: rounds.nudge,
    committed,
    async stop() {
      await rounds.stop();
      const drained = afterDelay(clock, limits.drainMs, () => cutOff.abort());
      for (const turn of turns.keys()) turn.wake();
      await Promise.all(turns.values());
      drained();
    },
    inFlight: () => ({ lanes: turns.size, ...permits.inFlight() }),
  };
}

/** Returns the callback as its commit left it in the database. */
function asInserted(callback: NewCallback): Callback {
  const untried = { attempts: 0, scheduleStart: 0, firstAttemptAt: null, finishedAt: null };
  return { ...callback, ...untried, dueAt: callback.createdAt };
}

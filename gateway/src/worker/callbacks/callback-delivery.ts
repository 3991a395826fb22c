/**
 * Delivers callbacks: claims lanes (one per merchant), takes a turn at each, side by side. A turn is lane-turn.ts, and its
 * decisions are held-lane.ts. The queue knows which callbacks are due and who holds which lane. Several processes may run this
 * at once.
 */
import type { Callback, NewCallback } from '../../domain/callbacks/callback.ts';
import type { ClaimedLane } from '../../domain/callbacks/callback-store.ts';
import { afterDelay, SECOND_MS } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { createTimeouts } from '../../foundation/timeouts.ts';
import { createRounds } from '../rounds.ts';
import { createDeliveryPermits } from './delivery-permits.ts';
import { PAGE } from './held-lane.ts';
import { type LaneTurn, SENDING_ENDS_BEFORE_LEASE_MS, type TurnParts, takeTurn } from './lane-turn.ts';
import { createRecentDeliveries } from './recent-deliveries.ts';

export interface CallbackDeliveryParts
  extends Pick<TurnParts, 'queue' | 'transport' | 'directory' | 'clock' | 'random' | 'onEvent'> {
  /** False: this machine's clock is off the database's, so nothing is claimed. */
  readonly clockIsRight: () => Promise<boolean>;
  readonly limits?: Partial<DeliveryLimits>;
}

export interface DeliveryLimits {
  /** Requests under way at once for one merchant. */
  readonly perMerchant: number;
  /** Requests under way for less than a second, over all merchants; and those for longer. */
  readonly fastSockets: number;
  readonly slowSockets: number;
  /** Lanes held at once. */
  readonly lanes: number;
  /** How long a stop waits for answers before it cuts them off. */
  readonly drainMs: number;
  /** Past this a crashed holder's lane is taken up by another; it sends nothing in the last `sendingEndsMs` of it. */
  readonly leaseMs: number;
  readonly sendingEndsMs: number;
}

export interface CallbackDelivery {
  start(): void;
  /** Looks for due callbacks without waiting for the next round. */
  nudge(): void;
  /** Takes callbacks that this process has just committed: those of a lane that it holds are sent without a look. */
  told(callbacks: readonly NewCallback[]): void;
  /** Sends nothing new and resolves when what was on the wire is recorded or cut off. */
  stop(): Promise<void>;
  underWay(): { readonly lanes: number; readonly fast: number; readonly slow: number };
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

/** In flight for longer than this, a request counts among the slow ones. */
const SLOW_AFTER_MS = 1 * SECOND_MS;

/** So that processes share a backlog, and lanes that waited longest come first in each round. */
const LANES_PER_ROUND = 64;

export function createCallbackDelivery(parts: CallbackDeliveryParts): CallbackDelivery {
  const { queue, clock, onEvent } = parts;
  const limits = { ...DEFAULT_LIMITS, ...parts.limits };
  const permits = createDeliveryPermits(limits.fastSockets, limits.slowSockets);
  const turns = new Map<LaneTurn, Promise<void>>();
  /** Of each merchant the latest one: that of a lease that is over may still be about. */
  const turnOf = new Map<MerchantId, LaneTurn>();
  /** Who was told something while this process held no lane of theirs: a claim under way may have come before it. */
  const toldMeanwhile = new Set<MerchantId>();
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
    const claimed = await queue.claim({ now, leaseUntil: now + limits.leaseMs, lanes, callbacks: PAGE });
    for (const lane of claimed) track(lane);
    return claimed.length === lanes;
  }

  function track(lane: ClaimedLane): void {
    const { merchantId } = lane;
    const turn = takeTurn(turnParts, lane, toldMeanwhile.delete(merchantId));
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

  function told(callbacks: readonly NewCallback[]): void {
    for (const callback of callbacks) {
      const { merchantId, state } = callback;
      if (state !== 'due' || turnOf.get(merchantId)?.offer(asInserted(callback))) continue;
      toldMeanwhile.add(merchantId);
      rounds.nudge();
    }
  }

  return {
    start: rounds.start,
    nudge: rounds.nudge,
    told,
    async stop() {
      await rounds.stop();
      const drained = afterDelay(clock, limits.drainMs, () => cutOff.abort());
      for (const turn of turns.keys()) turn.wake();
      await Promise.all(turns.values());
      drained();
    },
    underWay: () => ({ lanes: turns.size, ...permits.inFlight() }),
  };
}

/** As it lies in the database since its commit. */
function asInserted(callback: NewCallback): Callback {
  const untried = { attempts: 0, scheduleStart: 0, firstAttemptAt: null, finishedAt: null };
  return { ...callback, ...untried, dueAt: callback.createdAt };
}

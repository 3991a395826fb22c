/**
 * Delivers callbacks: claims lanes (one per merchant), takes a turn at each, side by side. What happens within a turn is
 * callback-delivery-turn.ts; what is due and who holds it is the queue's. Several processes may run this at once.
 */
import type { ClaimedLane } from '../domain/callbacks/callback-store.ts';
import { afterDelay, SECOND_MS } from '../foundation/clock.ts';
import { createDeliveryPermits } from './callback-delivery-permits.ts';
import { PAGE, SENDING_ENDS_BEFORE_LEASE_MS, type TurnParts, takeTurn } from './callback-delivery-turn.ts';
import { createRounds } from './rounds.ts';

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

/** So that processes share a backlog, and lanes that waited longest come first in each round. */
const LANES_PER_ROUND = 64;

export function createCallbackDelivery(parts: CallbackDeliveryParts): CallbackDelivery {
  const { queue, clock, onEvent } = parts;
  const limits = { ...DEFAULT_LIMITS, ...parts.limits };
  const permits = createDeliveryPermits(limits.fastSockets, limits.slowSockets);
  const turns = new Set<Promise<void>>();
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
    const turn: Promise<void> = takeTurn(turnParts, lane)
      .catch((error: unknown) => {
        onEvent({ kind: 'lane_abandoned', merchantId: lane.merchantId, reason: String(error) });
        return false;
      })
      .then((isDueAgain) => {
        const wasFull = turns.size >= limits.lanes;
        turns.delete(turn);
        if (isDueAgain || wasFull) rounds.nudge();
      });
    turns.add(turn);
  }

  return {
    start: rounds.start,
    nudge: rounds.nudge,
    async stop() {
      await rounds.stop();
      const drained = afterDelay(clock, limits.drainMs, () => cutOff.abort());
      await Promise.all(turns);
      drained();
    },
    underWay: () => ({ lanes: turns.size, ...permits.inFlight() }),
  };
}

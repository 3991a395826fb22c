/**
 * Brings accepted payouts to their banks: one loop per rail, so that a rail that hangs delays no other. What a loop does
 * is rail-loop.ts; what is due and who holds it is the job store's. Several processes may run this at once.
 */
import { OWN_METHODS, type Payout } from '../domain/payouts/payout.ts';
import type { PayoutRail } from '../domain/payouts/payout-rail.ts';
import { asksFirstSince, type Recovery } from '../domain/recovery/recovery.ts';
import { createRailLoop, type RailLoop, type RailLoopParts, type RailLoopState } from './rail-loop.ts';

export interface PayoutDeliveryParts
  extends Omit<RailLoopParts, 'isDown' | 'isTried' | 'mayHaveTaken' | 'asksFirstSince'> {
  readonly rails: readonly PayoutRail[];
  /** The latest recovery after a restore; undefined: there was none. */
  readonly recovery: () => Promise<Recovery | undefined>;
}

export interface PayoutDelivery {
  start(): void;
  /** Looks for due payouts without waiting for the next round. */
  nudge(): void;
  /** Claims nothing more and resolves when what is under way is recorded. */
  stop(): Promise<void>;
  railStates(): ReadonlyMap<string, RailLoopState>;
}

export function createPayoutDelivery(parts: PayoutDeliveryParts): PayoutDelivery {
  const stateOf = (name: string) => loops.find(({ rail }) => rail === name)?.state();
  const isTried = (name: string) => stateOf(name)?.breaker === 'half_open';
  const isDown = (name: string) => {
    const { breaker, underWay } = stateOf(name) ?? { breaker: 'closed', underWay: 0 };
    return breaker === 'open' || (breaker === 'half_open' && underWay > 0);
  };
  /** Routes change, so every rail that could carry it may have; the gateway's own go by one rail alone. */
  const mayHaveTaken = ({ method, rail: own, beneficiary: { fields } }: Payout) =>
    parts.rails.filter(({ name, methods, needs = [] }) =>
      OWN_METHODS.has(method)
        ? name === own
        : name === own || (methods.has(method) && needs.every((field) => field in fields)),
    );
  const loops: readonly RailLoop[] = parts.rails.map((rail) =>
    createRailLoop({ ...parts, isDown, isTried, mayHaveTaken, asksFirstSince: createDuty(parts) }, rail),
  );
  return {
    start() {
      for (const loop of loops) loop.start();
    },
    nudge() {
      for (const loop of loops) loop.nudge();
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
      await parts.jobs.drain();
    },
    railStates: () => new Map(loops.map((loop) => [loop.rail, loop.state()])),
  };
}

/** A payout of one rail may have been another's in the time that was forgotten, where both carry its method. */
function createDuty({ rails, recovery, clock }: PayoutDeliveryParts): RailLoopParts['asksFirstSince'] {
  return async (name) => {
    const latest = await recovery();
    if (!latest) return null;
    const own = rails.find((rail) => rail.name === name);
    const related = rails.filter(({ methods }) => [...methods].some((method) => own?.methods.has(method)));
    const since = related.flatMap((rail) => asksFirstSince(latest, rail.name, clock.now()) ?? []);
    return since[0] ?? null;
  };
}

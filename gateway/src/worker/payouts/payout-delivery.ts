/**
 * Delivers accepted payouts to their banks: one loop per rail, so that a rail that hangs delays no other. rail-loop.ts
 * implements a loop. The job store knows which payouts are due and which process holds them. Several processes may deliver
 * concurrently. Nothing here calls a bank or writes SQL.
 */
import type { Payout } from '../../domain/payouts/payout.ts';
import { mayHave, type PayoutRail } from '../../domain/payouts/payout-rail.ts';
import { holdsQueuedBefore, type Recovery, timeInDoubtFor } from '../../domain/recovery/recovery.ts';
import type { DeliveryParts, RailLoopParts } from './loop-parts.ts';
import { createRailLoop, type RailLoop, type RailLoopState } from './rail-loop.ts';

export interface PayoutDeliveryParts extends DeliveryParts {
  readonly rails: readonly PayoutRail[];
  /** The latest recovery after a restore. Undefined if the database was never restored. */
  readonly recovery: () => Promise<Recovery | undefined>;
}

export interface PayoutDelivery {
  start(): void;
  /** Looks for due payouts of that rail without waiting for its next round. */
  nudge(rail: string): void;
  /** Claims nothing more. Resolves when the outcome of each payout in flight is recorded. */
  stop(): Promise<void>;
  railStates(): ReadonlyMap<string, RailLoopState>;
}

export function createPayoutDelivery(parts: PayoutDeliveryParts): PayoutDelivery {
  const stateOf = (name: string) => loops.find(({ rail }) => rail === name)?.state();
  const isTried = (name: string) => stateOf(name)?.breaker === 'half_open';
  const isDown = (name: string) => {
    const { breaker, inFlight } = stateOf(name) ?? { breaker: 'closed', inFlight: 0 };
    return breaker === 'open' || (breaker === 'half_open' && inFlight > 0);
  };
  /** The gateway's own payouts can use only one rail. */
  const mayBeListedAt = ({ purpose, rail: own }: Payout) =>
    parts.rails.filter(({ name }) => name === own || purpose === 'payout');
  const mayHaveAccepted = (payout: Payout) => parts.rails.filter((rail) => mayHave(rail, payout));
  const shared = { ...parts, isDown, isTried, mayHaveAccepted, mayBeListedAt, restoreAround: restoreAround(parts) };
  const loops: readonly RailLoop[] = parts.rails.map((rail) => createRailLoop(shared, rail));
  return {
    start() {
      for (const loop of loops) loop.start();
    },
    nudge(rail) {
      loops.find((loop) => loop.rail === rail)?.nudge();
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
      await parts.jobs.drain();
    },
    railStates: () => new Map(loops.map((loop) => [loop.rail, loop.state()])),
  };
}

function restoreAround({ rails, recovery, clock }: PayoutDeliveryParts): RailLoopParts['restoreAround'] {
  return async (name) => {
    const latest = await recovery();
    return {
      restoredAt: latest?.startedAt ?? null,
      doubt: timeInDoubtFor(latest, rails, name, clock.now()) ?? null,
      heldBefore: holdsQueuedBefore(latest, name),
    };
  };
}

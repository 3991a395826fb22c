/** Rail health: the reports of this process, the periodic reading of the floats, and the operator's commands. */
import type { GatewayOperations, RailSummary } from '../../domain/management/gateway-operations.ts';
import { watchFloat } from '../../domain/payouts/watch-float.ts';
import { HEALTH_COUNTS_FOR_MS, HEALTH_TOLD_EVERY_MS } from '../../domain/routing/rail-health.ts';
import { MINUTE_MS } from '../../foundation/clock.ts';
import type { Heartbeat } from '../../worker/payouts/heartbeat.ts';
import type { RailLoopState } from '../../worker/payouts/rail-loop.ts';
import { createPeriodicWork, type PeriodicTask, type PeriodicWork } from '../../worker/periodic-work.ts';
import type { Hooks } from '../observability/hooks.ts';
import type { GatewayCore } from './open-core.ts';

const LOOK_AT_FLOATS_EVERY_MS = 5 * MINUTE_MS;

/** Each worker reports the health that it observed itself. */
export function createHealthTelling(
  { clock }: GatewayCore,
  { onProblem }: Hooks,
  heartbeat: Heartbeat,
  states: () => ReadonlyMap<string, RailLoopState>,
  clockIsRight: () => Promise<boolean>,
): PeriodicWork {
  const run = () =>
    heartbeat.tell(Array.from(states(), ([rail, { breaker, inFlight }]) => ({ rail, breaker, inFlight })));
  return createPeriodicWork({
    tasks: [{ name: 'report the health of the rails', everyMs: HEALTH_TOLD_EVERY_MS, run }],
    exclusively: async (_task, work) => {
      await work();
    },
    clock,
    clockIsRight,
    onProblem,
  });
}

export function floatTasks({ rails, railHealth: store, clock }: GatewayCore, { onRailFloat }: Hooks): PeriodicTask[] {
  return rails.floatReaders.map((reader) => ({
    name: `read the float of ${reader.rail}`,
    everyMs: LOOK_AT_FLOATS_EVERY_MS,
    run: () => watchFloat({ reader, store, clock, onFloat: onRailFloat }),
  }));
}

export function railOperations(core: GatewayCore): GatewayOperations['rails'] {
  const { railHealth, clock } = core;
  return {
    list: railSummaries(core),
    health: () => railHealth.health(clock.now() - HEALTH_COUNTS_FOR_MS),
    floats: railHealth.floats,
    setLowMark: railHealth.setLowMark,
  };
}

function railSummaries({ sendingRails }: GatewayCore): RailSummary[] {
  return sendingRails.map(({ name, methods, ownPurposes, simulated, notifies }) => ({
    name,
    methods: [...methods],
    purposes: [...(methods.size > 0 ? (['payout'] as const) : []), ...(ownPurposes ?? [])],
    simulated,
    notifies,
  }));
}

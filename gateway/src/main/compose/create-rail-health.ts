/** The health of the rails as workers report it, and the operator's commands about rails. */
import type { GatewayOperations } from '../../domain/gateway-operations.ts';
import { HEALTH_COUNTS_FOR_MS, HEALTH_REPORTED_EVERY_MS } from '../../domain/rails/rail-health.ts';
import type { Heartbeat } from '../../worker/payouts/heartbeat.ts';
import type { RailLoopState } from '../../worker/payouts/rail-loop.ts';
import { createPeriodicWork, type PeriodicWork } from '../../worker/periodic-work.ts';
import type { Hooks } from '../observability/hooks.ts';
import type { RailView } from './create-rail-view.ts';
import type { GatewayCore } from './gateway-core.ts';
import { testRail } from './manage/test-rail.ts';

/** Each worker reports the health that it observed itself. */
export function createHealthReports(
  { clock }: GatewayCore,
  { onProblem }: Hooks,
  heartbeat: Heartbeat,
  states: () => ReadonlyMap<string, RailLoopState>,
  clockIsRight: () => Promise<boolean>,
): PeriodicWork {
  const run = () =>
    heartbeat.report(Array.from(states(), ([rail, { breaker, inFlight }]) => ({ rail, breaker, inFlight })));
  return createPeriodicWork({
    tasks: [{ name: 'report the health of the rails', everyMs: HEALTH_REPORTED_EVERY_MS, run }],
    clock,
    clockIsRight,
    onProblem,
  });
}

export function railOperations(core: GatewayCore, view: RailView): GatewayOperations['rails'] {
  const { railHealth, clock, exchanges, config } = core;
  return {
    list: view.sending,
    async setups() {
      const connected = await view.names();
      return config.railSetups.map((setup) => ({ ...setup, isConnected: connected.includes(setup.name) }));
    },
    test: (rail) => testRail(core, rail),
    health: () => railHealth.health(clock.now() - HEALTH_COUNTS_FOR_MS),
    floats: railHealth.floats,
    exchanges: exchanges.list,
    setFloatThreshold: railHealth.setFloatThreshold,
  };
}

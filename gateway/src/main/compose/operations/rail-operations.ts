/** The operations on rails. */
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import { HEALTH_COUNTS_FOR_MS } from '../../../domain/rails/rail-health.ts';
import type { RailView } from '../create-rail-view.ts';
import type { GatewayCore } from '../gateway-core.ts';
import { testRail } from './test-rail.ts';

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

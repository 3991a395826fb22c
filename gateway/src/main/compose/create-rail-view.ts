/** The rails as the running processes report them: which process has which rails. */
import { PROCESS_COUNTS_FOR_MS, type RailSummary, railsOf } from '../../domain/monitoring/running-process.ts';
import { configuredRails, RAIL_NAMES } from '../../rails/registry.ts';
import type { GatewayCore } from './gateway-core.ts';

/** Running processes define which rails exist, because a shell may lack their variables. */
export function createRailView(core: GatewayCore) {
  const running = () => core.processes.running(core.clock.now() - PROCESS_COUNTS_FOR_MS);
  const names = async (): Promise<readonly string[]> => {
    const processes = await running();
    return processes.length > 0 ? [...new Set(processes.flatMap(({ rails }) => rails))] : railNames(core);
  };
  return {
    running,
    async sending(): Promise<readonly RailSummary[]> {
      const processes = await running();
      return processes.length > 0 ? railsOf(processes) : railSummaries(core);
    },
    names,
    /** Every rail that may have assigned a reference to a payment, even with an earlier configuration. */
    everUsed: async () => [...new Set([...RAIL_NAMES, ...(await names())])],
  };
}

export type RailView = ReturnType<typeof createRailView>;

/** Returns the payouts' rails as routes see them. A rail that carries only refunds does not use routes. */
export async function routedRails({ sending }: RailView) {
  const routed = (await sending()).filter(({ purposes }) => purposes.some((purpose) => purpose !== 'refund'));
  return routed.map(({ name, methods }) => ({ name, methods: new Set(methods) }));
}

export function railNames({ config, sendingRails, rails }: GatewayCore): string[] {
  const configured = configuredRails(config.rails).map(({ definition }) => definition);
  return [...new Set([...configured, ...sendingRails, ...rails.paymentRails].map(({ name }) => name))];
}

export function railSummaries({ sendingRails }: GatewayCore): RailSummary[] {
  return sendingRails.map(({ name, methods, ownPurposes, simulated, notifies }) => ({
    name,
    methods: [...methods],
    purposes: [...(methods.size > 0 ? (['payout'] as const) : []), ...(ownPurposes ?? [])],
    simulated,
    notifies,
  }));
}

/**
 * The rails as the running processes report them: which process has which rails, their health, and the periodic reading of
 * the floats.
 */
import { hostname } from 'node:os';
import type { GatewayOperations } from '../../domain/gateway-operations.ts';
import {
  PROCESS_COUNTS_FOR_MS,
  PROCESS_SEEN_EVERY_MS,
  type RailSummary,
  type RunningProcess,
  railsOf,
} from '../../domain/monitoring/running-process.ts';
import { HEALTH_COUNTS_FOR_MS, HEALTH_REPORTED_EVERY_MS } from '../../domain/rails/rail-health.ts';
import { watchFloat } from '../../domain/rails/watch-float.ts';
import { MINUTE_MS } from '../../foundation/clock.ts';
import { configuredRails, RAIL_NAMES } from '../../rails/registry.ts';
import type { Heartbeat } from '../../worker/payouts/heartbeat.ts';
import type { RailLoopState } from '../../worker/payouts/rail-loop.ts';
import { createPeriodicWork, type PeriodicTask, type PeriodicWork } from '../../worker/periodic-work.ts';
import { readVersion } from '../config/read-version.ts';
import type { Hooks } from '../observability/hooks.ts';
import { testRail } from './manage/test-rail.ts';
import type { GatewayCore } from './open-core.ts';

const LOOK_AT_FLOATS_EVERY_MS = 5 * MINUTE_MS;

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

/** The row of a dead process is deleted after this. */
const KEPT_FOR_MS = 100 * PROCESS_SEEN_EVERY_MS;

/** A serving process reports its role, its version and its rails. Commands and the doctor read it. */
export async function createPresence(core: GatewayCore, { onProblem }: Pick<Hooks, 'onProblem'>, role: string) {
  const { clock, random, processes, keyring } = core;
  const since = clock.now();
  const own: Omit<RunningProcess, 'seenAt'> = {
    processId: random.uuid(),
    role,
    version: await readVersion(),
    host: hostname(),
    since,
    rails: railNames(core),
    sendingRails: railSummaries(core),
  };
  const run = () => processes.report({ ...own, seenAt: clock.now() }, clock.now() - KEPT_FOR_MS, keyring.ids);
  const work = createPeriodicWork({
    tasks: [{ name: 'report this process', everyMs: PROCESS_SEEN_EVERY_MS, run }],
    exclusively: async (_task, report) => {
      await report();
    },
    clock,
    onProblem,
  });
  return {
    start: work.start,
    async stop() {
      await work.stop();
      // A process that leaves its row behind counts as running for half a minute.
      await processes.end(own.processId).catch(() => {});
    },
  };
}

/** Running processes say which rails exist. A shell may lack their variables. */
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
    /** Every rail that can have given a payment a reference, even under an earlier configuration. */
    everUsed: async () => [...new Set([...RAIL_NAMES, ...(await names())])],
  };
}

export type RailView = ReturnType<typeof createRailView>;

/** Returns the payouts' rails as routes see them. A rail that carries only refunds takes no route. */
export async function routedRails({ sending }: RailView) {
  const routed = (await sending()).filter(({ purposes }) => purposes.some((purpose) => purpose !== 'refund'));
  return routed.map(({ name, methods }) => ({ name, methods: new Set(methods) }));
}

function railNames({ config, sendingRails, rails }: GatewayCore): string[] {
  const configured = configuredRails(config.rails).map(({ definition }) => definition);
  return [...new Set([...configured, ...sendingRails, ...rails.paymentRails].map(({ name }) => name))];
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

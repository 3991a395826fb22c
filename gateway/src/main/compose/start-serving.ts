/**
 * A serving process: the API, the worker or both, and the operator's listener. Each part starts after the parts that it needs.
 * The parts stop in reverse order, and respond to every request that they have received.
 */
import type { FastifyInstance } from 'fastify';
import type { ServeRole } from '../../cli/command-host.ts';
import type { GatewayOperations } from '../../domain/gateway-operations.ts';
import { readSchemaState } from '../../storage/migrations/schema-state.ts';
import { createReadiness, type Readiness, registerHealth } from '../observability/health.ts';
import type { Hooks } from '../observability/hooks.ts';
import type { Metrics } from '../observability/metrics.ts';
import { createOpsServer } from '../observability/ops-server.ts';
import { createApi } from './create-api.ts';
import { guardClock } from './create-clock-guard.ts';
import { createPresence } from './create-presence.ts';
import { createWorker, type Pace } from './create-worker.ts';
import type { GatewayCore } from './gateway-core.ts';

export interface Serving {
  /** The address for merchants; null for a worker. */
  readonly url: string | null;
  /** The operator's address; null under a supervisor, which has that listener. */
  readonly opsUrl: string | null;
  /** The address of the management API; null in a process that does not serve it. */
  readonly manageUrl: string | null;
  readonly readiness: () => Promise<Readiness>;
  /**
   * Responds to the requests in flight, records their results, then closes everything except the core. `replaced`: another process
   * serves at the same address, so clients need not change their address.
   */
  stop(how?: { readonly replaced: boolean }): Promise<void>;
}

interface ServingParts {
  readonly core: GatewayCore;
  readonly operations: GatewayOperations;
  readonly hooks: Hooks;
  readonly metrics: Metrics;
  readonly pace?: Pace;
}

/** The role of a process among several on one machine; absent where it is the only one. */
export interface Share {
  /** False if another process of this machine runs the schedule and samples the queues. */
  readonly housekeeping: boolean;
}

interface Stage {
  readonly start?: () => unknown;
  readonly stop: () => unknown;
}

const NOBODY_TO_WAKE = { payouts: () => {}, callbacks: () => {} };

/**
 * Applies where processes share a port. A client with a kept-alive connection stays with one process, so after a restart the
 * first process would keep every client. A new connection goes to the next process in turn.
 */
const REQUESTS_PER_CONNECTION = 1_000;

export async function startServing(
  { core, operations, hooks, metrics, pace = {} }: ServingParts,
  role: ServeRole,
  share?: Share,
): Promise<Serving> {
  const { config, clock, outside } = core;
  let draining = false;
  const schemaState = () => readSchemaState(core.database);
  const clockIsRight = guardClock(core, hooks);
  const readiness = createReadiness({ schemaState, clockIsRight, isDraining: () => draining, clock });
  const health = async () => ({ status: await readiness() });
  // With several processes, the supervisor has the operator's listener.
  const ops = share ? undefined : createOpsServer({ readiness: health, metrics });

  const stages: Stage[] = [];
  const urls = { api: null as string | null, ops: null as string | null, manage: null as string | null };
  const listen = async (app: FastifyInstance, part: keyof typeof urls, host: string, port: number) => {
    urls[part] = await outside.listen(app, host, port);
  };
  const begin = async (stage: Stage) => {
    stages.push(stage);
    await stage.start?.();
  };
  const serves = (part: Exclude<ServeRole, 'all'>) => role === 'all' || role === part;
  const isHousekeeper = share?.housekeeping ?? true;
  // One of several processes suffices, because users and their scripts send few requests. Its schemas are a third of all
  // modules, so commands and the other processes do not load them.
  const { createManageApi } = serves('manage') && isHousekeeper ? await import('./manage/create-manage-api.ts') : {};
  const end = async () => {
    for (const stage of stages.splice(0).reverse()) await stage.stop();
  };
  const stop: Serving['stop'] = async ({ replaced } = { replaced: false }) => {
    draining = !replaced;
    if (draining && serves('api')) await clock.sleep(config.shutdownNoticeMs);
    await end();
  };
  try {
    await begin(await createPresence(core, hooks, role));
    if (ops)
      await begin({ start: () => listen(ops, 'ops', config.metricsHost, config.metricsPort), stop: () => ops.close() });
    const worker = serves('worker')
      ? await createWorker(core, hooks, { pace, housekeeping: isHousekeeper })
      : undefined;
    if (worker) {
      metrics.watchRails(worker.railStates);
      await begin(worker);
    }
    const nudge = worker?.nudge ?? NOBODY_TO_WAKE;
    const connections = {
      ...(pace.goodbyeMs === undefined ? {} : { goodbyeMs: pace.goodbyeMs }),
      ...(share ? { requestsPerConnection: REQUESTS_PER_CONNECTION } : {}),
    };
    const api = serves('api') ? createApi(core, hooks, nudge, connections) : undefined;
    if (api) {
      registerHealth(api, health);
      await begin({ start: () => listen(api, 'api', config.host, config.port), stop: () => closeApi(api, core) });
    }
    const manage = createManageApi?.(core, operations, hooks);
    if (manage)
      await begin({
        start: () => listen(manage, 'manage', config.manageHost, config.managePort),
        stop: () => manage.close(),
      });
    return { url: urls.api, opsUrl: urls.ops, manageUrl: urls.manage, readiness, stop };
  } catch (error) {
    draining = true;
    await end();
    throw error;
  }
}

async function closeApi(api: FastifyInstance, core: GatewayCore): Promise<void> {
  await api.close();
  await Promise.all([core.payouts.drain(), core.deposits.drain()]);
}

/**
 * A serving process: the API, the worker, or both, with the operator's listener beside them. It starts in the order in
 * which things are needed and stops in the opposite one, answering what it has taken before it goes.
 */
import type { FastifyInstance } from 'fastify';
import type { ServeRole } from '../../cli/gateway-operations.ts';
import { readSchemaState } from '../../storage/migrations/schema-state.ts';
import { listen, urlOf } from '../listen.ts';
import { createReadiness, type Readiness, registerHealth } from '../observability/health.ts';
import type { Hooks } from '../observability/hooks.ts';
import type { Metrics } from '../observability/metrics.ts';
import { createOpsServer } from '../observability/ops-server.ts';
import { createApi } from './create-api.ts';
import { createWorker, type Pace } from './create-worker.ts';
import type { GatewayCore } from './open-core.ts';

export interface Serving {
  /** Where merchants are served; null for a worker. */
  readonly url: string | null;
  /** Where the operator looks; null under a supervisor, which has that listener. */
  readonly opsUrl: string | null;
  readonly readiness: () => Promise<Readiness>;
  /**
   * Answers what was taken, records what is under way, then lets go of everything but the core. `replaced`: another
   * process serves at the same address, so that nobody is told to go elsewhere.
   */
  stop(how?: { readonly replaced: boolean }): Promise<void>;
}

export interface ServingParts {
  readonly core: GatewayCore;
  readonly hooks: Hooks;
  readonly metrics: Metrics;
  readonly pace?: Pace;
}

/** A process's part in what several of them on one machine do together; absent where it is the only one. */
export interface Share {
  /** False: another process of this machine keeps the schedule and watches the queues. */
  readonly housekeeping: boolean;
}

interface Stage {
  readonly start?: () => unknown;
  readonly stop: () => unknown;
}

const NOBODY_TO_WAKE = { payouts: () => {}, callbacks: () => {} };

/**
 * Of processes that share a port: whoever keeps a connection keeps to one process, and after a restart all of them would
 * be with those that were there first. A new connection goes to the next in turn.
 */
const REQUESTS_PER_CONNECTION = 1_000;

export async function startServing(
  { core, hooks, metrics, pace = {} }: ServingParts,
  role: ServeRole,
  share?: Share,
): Promise<Serving> {
  const { config, clock } = core;
  let draining = false;
  const schemaState = () => readSchemaState(core.database);
  const readiness = createReadiness({ schemaState, isDraining: () => draining, clock });
  const health = async () => ({ status: await readiness() });
  // Of several the supervisor has the operator's listener.
  const ops = share ? undefined : createOpsServer({ readiness: health, metrics });

  const stages: Stage[] = [];
  const begin = async (stage: Stage) => {
    stages.push(stage);
    await stage.start?.();
  };
  const end = async () => {
    for (const stage of stages.splice(0).reverse()) await stage.stop();
  };
  const stop: Serving['stop'] = async ({ replaced } = { replaced: false }) => {
    draining = !replaced;
    if (draining && role !== 'worker') await clock.sleep(config.shutdownNoticeMs);
    await end();
  };
  try {
    if (ops) await begin({ start: () => listen(ops, config.metricsHost, config.metricsPort), stop: () => ops.close() });
    const worker =
      role === 'api' ? undefined : await createWorker(core, hooks, { pace, housekeeping: share?.housekeeping ?? true });
    if (worker) {
      metrics.watchRails(worker.railStates);
      await begin(worker);
    }
    const nudge = worker?.nudge ?? NOBODY_TO_WAKE;
    const connections = {
      ...(pace.goodbyeMs === undefined ? {} : { goodbyeMs: pace.goodbyeMs }),
      ...(share ? { requestsPerConnection: REQUESTS_PER_CONNECTION } : {}),
    };
    const api = role === 'worker' ? undefined : createApi(core, hooks, nudge, connections);
    if (api) {
      registerHealth(api, health);
      await begin({ start: () => listen(api, config.host, config.port), stop: () => closeApi(api, core) });
    }
    return { url: api ? urlOf(api) : null, opsUrl: ops ? urlOf(ops) : null, readiness, stop };
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

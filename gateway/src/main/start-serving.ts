/**
 * A serving process: the API, the worker, or both, with the operator's listener beside them. It starts in the order in
 * which things are needed and stops in the opposite one, answering what it has taken before it goes.
 */
import type { FastifyInstance } from 'fastify';
import type { ServeRole } from '../cli/gateway-operations.ts';
import { readSchemaState } from '../storage/schema-state.ts';
import { createApi } from './create-api.ts';
import { createWorker, type Pace } from './create-worker.ts';
import { listen, urlOf } from './listen.ts';
import { registerHealth } from './observability/health.ts';
import type { Hooks } from './observability/hooks.ts';
import type { Metrics } from './observability/metrics.ts';
import { createOpsServer } from './observability/ops-server.ts';
import type { GatewayCore } from './open-core.ts';

export interface Serving {
  /** Where merchants are served; null for a worker. */
  readonly url: string | null;
  readonly opsUrl: string;
  /** Answers what was taken, records what is under way, then lets go of everything but the core. */
  stop(): Promise<void>;
}

export interface ServingParts {
  readonly core: GatewayCore;
  readonly hooks: Hooks;
  readonly metrics: Metrics;
  readonly pace?: Pace;
}

interface Stage {
  readonly start?: () => unknown;
  readonly stop: () => unknown;
}

const NOBODY_TO_WAKE = { payouts: () => {}, callbacks: () => {} };

export async function startServing(
  { core, hooks, metrics, pace = {} }: ServingParts,
  role: ServeRole,
): Promise<Serving> {
  const { config, clock } = core;
  let draining = false;
  const health = { schemaState: () => readSchemaState(core.database), isDraining: () => draining, clock };
  const ops = createOpsServer({ ...health, metrics });

  const stages: Stage[] = [];
  const begin = async (stage: Stage) => {
    stages.push(stage);
    await stage.start?.();
  };
  const stop = async () => {
    draining = true;
    for (const stage of stages.splice(0).reverse()) await stage.stop();
  };
  try {
    await begin({ start: () => listen(ops, config.metricsHost, config.metricsPort), stop: () => ops.close() });
    const worker = role === 'api' ? undefined : await createWorker(core, hooks, pace);
    if (worker) {
      metrics.watchRails(worker.railStates);
      await begin(worker);
    }
    const api = role === 'worker' ? undefined : createApi(core, hooks, worker?.nudge ?? NOBODY_TO_WAKE);
    if (api) registerHealth(api, health);
    if (api) await begin({ start: () => listen(api, config.host, config.port), stop: () => closeApi(api, core) });
    return { url: api ? urlOf(api) : null, opsUrl: urlOf(ops), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function closeApi(api: FastifyInstance, core: GatewayCore): Promise<void> {
  await api.close();
  await Promise.all([core.payouts.drain(), core.deposits.drain()]);
}

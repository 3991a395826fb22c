/**
 * A serving process: the API, the worker, or both, with the operator's listener beside them. It starts in the order in
 * which things are needed and stops in the opposite one, answering what it has taken before it goes.
 */
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { ServeRole } from '../cli/gateway-operations.ts';
import type { PayoutRail } from '../domain/payouts/payout-rail.ts';
import { createReportPayout } from '../domain/payouts/report-payout.ts';
import { createSendPayout } from '../domain/payouts/send-payout.ts';
import { watchPauses } from '../domain/routing/pauses.ts';
import { destroyExpiredRecords } from '../domain/vault/destroy-expired-records.ts';
import { HOUR_MS } from '../foundation/clock.ts';
import { invariant } from '../foundation/invariant.ts';
import { composePayoutCallback, composePayoutEvent } from '../protocol/callback/compose-callback.ts';
import { createHttpCallbackTransport } from '../protocol/callback/http-callback-transport.ts';
import { createHttpServer } from '../protocol/http/http-server.ts';
import { DEFAULT_RATES, payoutRoutes } from '../protocol/payout/payout-routes.ts';
import { registerRailNotifications } from '../protocol/rail-notifications/routes.ts';
import { createCallbackQueue } from '../storage/callback-queue.ts';
import { runExclusively } from '../storage/exclusive-work.ts';
import { readQueueStatistics } from '../storage/queue-statistics.ts';
import { isSchemaCurrent } from '../storage/schema-state.ts';
import { verifyInvariants } from '../storage/verify-invariants.ts';
import { createCallbackDelivery, type DeliveryLimits } from '../worker/callback-delivery.ts';
import { createClockGuard } from '../worker/clock-guard.ts';
import { createPayoutDelivery } from '../worker/payout-delivery.ts';
import { createPeriodicWork } from '../worker/periodic-work.ts';
import { registerHealth } from './observability/health.ts';
import type { Hooks } from './observability/hooks.ts';
import type { Metrics } from './observability/metrics.ts';
import { createOpsServer } from './observability/ops-server.ts';
import { createQueueSampler } from './observability/queue-sampler.ts';
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

/** Waits that a test of crashes makes shorter, to see within seconds what is made up for; elsewhere the defaults hold. */
export interface Pace {
  readonly rail?: Partial<Pick<PayoutRail, 'timeoutMs' | 'notFoundProofMs' | 'askAfterMs'>>;
  /** How much longer than the longest send a payout's lease is. */
  readonly recordingMs?: number;
  readonly callbacks?: Partial<Pick<DeliveryLimits, 'leaseMs' | 'sendingEndsMs'>>;
}

interface Stage {
  readonly start?: () => unknown;
  readonly stop: () => unknown;
}

export async function startServing(
  { core, hooks, metrics, pace = {} }: ServingParts,
  role: ServeRole,
): Promise<Serving> {
  const { config, clock } = core;
  let draining = false;
  const health = { isSchemaCurrent: () => isSchemaCurrent(core.database), isDraining: () => draining, clock };
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
    const api = role === 'worker' ? undefined : createApi(core, hooks, worker?.nudge ?? (() => {}));
    if (api) registerHealth(api, health);
    if (api) await begin({ start: () => listen(api, config.host, config.port), stop: () => closeApi(api, core) });
    return { url: api ? urlOf(api) : null, opsUrl: urlOf(ops), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function createApi(core: GatewayCore, hooks: Hooks, nudgeWorker: () => void): FastifyInstance {
  const { config, clock, random, payouts, ledger, directory, vault, chooseRail } = core;
  const app = createHttpServer({
    trustedProxies: config.trustedProxies,
    onInternalError: hooks.onInternalError,
    onAnswered: hooks.onAnswered,
  });
  const sendPayout = createSendPayout({
    store: payouts,
    vault,
    chooseRail,
    clock,
    onAccepted(payout) {
      hooks.onPayoutAccepted(payout);
      nudgeWorker();
    },
  });
  const defaultRates = DEFAULT_RATES[config.environment];
  const onRefused = hooks.onPayoutRefused;
  void app.register(payoutRoutes({ directory, sendPayout, payouts, ledger, clock, random, defaultRates, onRefused }));
  registerRailNotifications(app, {
    rails: core.rails.notifications,
    store: payouts,
    report: reportPayout(core, hooks, nudgeWorker),
    clock,
    onNotification: hooks.onNotification,
  });
  return app;
}

/** `onSettled` wakes the callback worker of this process; those of others look by themselves. */
export function reportPayout({ payouts, directory }: GatewayCore, hooks: Pick<Hooks, 'onSettled'>, nudge: () => void) {
  return createReportPayout({
    store: payouts,
    merchants: directory,
    compose: { payout: composePayoutCallback, event: composePayoutEvent },
    onSettled(key, outcome) {
      hooks.onSettled(key, outcome);
      nudge();
    },
  });
}

async function createWorker(core: GatewayCore, hooks: Hooks, pace: Pace) {
  const { config, clock, random, vault, directory, jobs, database, rails } = core;
  const { onProblem } = hooks;
  const clockIsRight = createClockGuard({ clock, clockDifference: jobs.clockDifference, onProblem });
  const queue = createCallbackQueue(database, clock);
  const policy = { development: config.environment === 'development', extraPorts: config.callbackExtraPorts };
  const transport = createHttpCallbackTransport({ policy, clock });
  const callbacks = createCallbackDelivery({
    queue,
    transport,
    directory,
    clock,
    random,
    clockIsRight,
    onEvent: hooks.onCallbackEvent,
    ...(pace.callbacks ? { limits: pace.callbacks } : {}),
  });
  const pauses = await watchPauses(core.pauses, clock, onProblem);
  const payouts = createPayoutDelivery({
    rails: rails.payoutRails.map((rail) => ({ ...rail, ...pace.rail })),
    jobs,
    report: reportPayout(core, hooks, callbacks.nudge),
    vault,
    async merchant({ merchantId }) {
      const found = await directory.find(merchantId);
      invariant(found, 'a payout of a merchant that does not exist');
      return found.merchant;
    },
    pauses,
    clock,
    random,
    clockIsRight,
    onRailCall: hooks.onRailCall,
    onProblem,
    ...(pace.recordingMs === undefined ? {} : { recordingMs: pace.recordingMs }),
  });
  const sampler = createQueueSampler({
    read: (now) => readQueueStatistics(database, now),
    onSample: hooks.onQueues,
    onProblem,
    clock,
  });
  const schedule = createSchedule(core, hooks);
  return {
    railStates: payouts.railStates,
    nudge() {
      payouts.nudge();
      callbacks.nudge();
    },
    start() {
      payouts.start();
      callbacks.start();
      sampler.start();
      schedule.start();
    },
    async stop() {
      await Promise.all([sampler.stop(), schedule.stop(), payouts.stop()]);
      await Promise.all([callbacks.stop(), pauses.stop(), core.payouts.drain()]);
      await transport.close();
    },
  };
}

function createSchedule(core: GatewayCore, { onProblem, onInvariantBroken }: Hooks) {
  const { database, clock, vaultStore } = core;
  return createPeriodicWork({
    tasks: [
      {
        name: 'destroy card data past its retention',
        everyMs: HOUR_MS,
        run: (signal) => destroyExpiredRecords(vaultStore, clock, signal),
      },
      {
        name: 'verify the invariants',
        everyMs: 6 * HOUR_MS,
        run: () => verifyInvariants(database, ({ name, holds }) => holds || onInvariantBroken(name)),
      },
    ],
    exclusively: (task, work) => runExclusively(database, task, work),
    clock,
    onProblem,
  });
}

async function closeApi(api: FastifyInstance, core: GatewayCore): Promise<void> {
  await api.close();
  await core.payouts.drain();
}

async function listen(app: FastifyInstance, host: string, port: number): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw new ListenError(host, port, error as NodeJS.ErrnoException);
  }
}

const LISTEN_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use: stop what listens there, or choose another port',
  EACCES: 'this user may not listen there: choose a port from 1024 up',
  EADDRNOTAVAIL: 'this machine has no such address',
};

/** The message is one sentence for whoever started it. */
export class ListenError extends Error {
  override readonly name = 'ListenError';

  constructor(host: string, port: number, cause: NodeJS.ErrnoException) {
    super(`Can't listen on ${host}:${port}: ${LISTEN_FAULTS[cause.code ?? ''] ?? cause.message}`, { cause });
  }
}

function urlOf(app: FastifyInstance): string {
  const { address, family, port } = app.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

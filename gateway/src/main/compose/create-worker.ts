/** The worker of a gateway: sends payouts to banks and callbacks to merchants, samples the queues, runs the schedule. */
import { merchantOf } from '../../domain/merchants/merchant-directory.ts';
import type { PaymentRail } from '../../domain/payments/payment-rail.ts';
import type { PayoutRail } from '../../domain/payouts/payout-rail.ts';
import { closedUntil } from '../../domain/routing/opening-hours.ts';
import { createLaneStore } from '../../storage/callbacks/lane-store.ts';
import { readQueueStatistics } from '../../storage/monitoring/queue-statistics.ts';
import { createCallbackDelivery, type DeliveryLimits } from '../../worker/callbacks/callback-delivery.ts';
import { createHeartbeat, type Heartbeat } from '../../worker/payouts/heartbeat.ts';
import { createPayoutDelivery } from '../../worker/payouts/payout-delivery.ts';
import { watchPauses } from '../../worker/payouts/watch-pauses.ts';
import type { Hooks } from '../observability/hooks.ts';
import { createQueueSampler } from '../observability/queue-sampler.ts';
import { createBatchWork } from './create-batch-work.ts';
import { guardClock } from './create-clock-guard.ts';
import { createAsking } from './create-payments.ts';
import { createPublishing, openCallbackTransport } from './create-publishing.ts';
import { createSchedule } from './create-schedule.ts';
import type { GatewayCore } from './gateway-core.ts';
import { createHealthReports } from './tasks/rail-tasks.ts';

/** Delays that the crash tests and the demo shorten. Elsewhere the defaults apply. */
export interface Pace {
  readonly rail?: Partial<Pick<PayoutRail, 'timeoutMs' | 'notFoundProofMs' | 'askAfterMs'>>;
  /** Values that replace those of the rails of the hosted form. */
  readonly payment?: Partial<Pick<PaymentRail, 'timeoutMs' | 'notFoundProofMs' | 'askAfterMs'>>;
  /** How much the lease of a payout, or of a payment status query, exceeds the longest call. */
  readonly recordingMs?: number;
  readonly callbacks?: Partial<Pick<DeliveryLimits, 'leaseMs' | 'sendingEndsMs'>>;
  /** How long a closing server still responds to requests on keep-alive connections. */
  readonly goodbyeMs?: number;
  readonly batchLeaseMs?: number;
}

interface WorkerOptions {
  readonly pace: Pace;
  /** False if another process of this machine runs the schedule and samples the queues. */
  readonly housekeeping: boolean;
}

export async function createWorker(core: GatewayCore, hooks: Hooks, { pace, housekeeping }: WorkerOptions) {
  const { config, clock, random, vault, directory, jobs, database, sendingRails } = core;
  const { onProblem } = hooks;
  const clockIsRight = guardClock(core, hooks);
  const store = createLaneStore(database, clock);
  const transport = openCallbackTransport(core);
  const callbacks = createCallbackDelivery({
    store,
    transport,
    directory,
    clock,
    random,
    clockIsRight,
    onEvent: hooks.onCallbackEvent,
    ...(pace.callbacks ? { limits: pace.callbacks } : {}),
  });
  const publishing = createPublishing(core, hooks, callbacks.nudge, callbacks.committed);
  const pauses = await watchPauses(core.pauses, clock, onProblem);
  const heartbeat = openHeartbeat(core, hooks);
  const payouts = createPayoutDelivery({
    rails: sendingRails,
    jobs,
    settle: publishing.settle,
    vault,
    sendsUnsealed: config.unsealedPayouts === 'send',
    merchant: ({ merchantId }) => merchantOf(core.directory, merchantId),
    pauses,
    recovery: core.recovery,
    witness: heartbeat.witness,
    mark: heartbeat.mark,
    unaccounted: core.unaccounted,
    referenceOf: core.referenceOf,
    closedUntil: async (rail) => closedUntil((await core.routeTable()).hours, rail, clock.now()),
    nextRail: core.railChoice.nextRail,
    canReroute: core.railChoice.canReroute,
    isListed: (name) => core.rails.payoutListers.some(({ rail }) => rail === name),
    clock,
    clockIsRight,
    onRailCall: hooks.onRailCall,
    onBreaker: hooks.onBreaker,
    onSealBroken: hooks.onSealBroken,
    onProblem,
    ...(pace.recordingMs === undefined ? {} : { recordingMs: pace.recordingMs }),
  });
  const sampler = openSampler(core, hooks);
  const asking = createAsking(core, hooks, publishing, clockIsRight, pace.recordingMs);
  const schedule = createSchedule(core, hooks, publishing, clockIsRight);
  const batches = createBatchWork(core, hooks, payouts.nudge, clockIsRight, pace.batchLeaseMs);
  const healthReports = createHealthReports(core, hooks, heartbeat, payouts.railStates, clockIsRight);
  return {
    railStates: payouts.railStates,
    nudge: { payouts: payouts.nudge, callbacks: callbacks.nudge },
    start() {
      payouts.start();
      asking.start();
      batches.start();
      callbacks.start();
      healthReports.start();
      if (!housekeeping) return;
      sampler.start();
      schedule.start();
    },
    async stop() {
      await Promise.all([
        sampler.stop(),
        schedule.stop(),
        healthReports.stop(),
        payouts.stop(),
        asking.stop(),
        batches.stop(),
      ]);
      await Promise.all([callbacks.stop(), pauses.stop(), core.payouts.drain(), core.deposits.drain()]);
      await transport.close();
    },
  };
}

function openSampler({ database, clock }: GatewayCore, { onQueues: onSample, onProblem }: Hooks) {
  return createQueueSampler({ read: (now) => readQueueStatistics(database, now), onSample, onProblem, clock });
}

function openHeartbeat(core: GatewayCore, { onProblem }: Hooks): Heartbeat {
  const { railHealth: store, lineages, recoveries, random, clock } = core;
  return createHeartbeat({
    store,
    lineages,
    clock,
    onProblem,
    restoredAt: async () => (await recoveries.latest())?.startedAt ?? null,
    process: random.uuid(),
  });
}

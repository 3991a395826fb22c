/** The periodic tasks of the rails: their floats, their health and their preparations. */

import { HEALTH_REPORTED_EVERY_MS } from '../../../domain/rails/rail-health.ts';
import type { RailPreparation } from '../../../domain/rails/rail-preparation.ts';
import { watchFloat } from '../../../domain/rails/watch-float.ts';
import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../foundation/clock.ts';
import { withDeadline } from '../../../foundation/deadline.ts';
import type { Heartbeat } from '../../../worker/payouts/heartbeat.ts';
import type { RailLoopState } from '../../../worker/payouts/rail-loop.ts';
import { createPeriodicWork, type PeriodicTask, type PeriodicWork } from '../../../worker/periodic-work.ts';
import type { Hooks } from '../../observability/hooks.ts';
import type { GatewayCore } from '../gateway-core.ts';

const LOOK_AT_FLOATS_EVERY_MS = 5 * MINUTE_MS;

export function floatTasks({ rails, railHealth: store, clock }: GatewayCore, { onRailFloat }: Hooks): PeriodicTask[] {
  return rails.floatReaders.map((reader) => ({
    name: `read the float of ${reader.rail}`,
    everyMs: LOOK_AT_FLOATS_EVERY_MS,
    run: () => watchFloat({ reader, store, clock, onFloat: onRailFloat }),
  }));
}

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

export function preparationTasks({ rails, clock }: GatewayCore): PeriodicTask[] {
  return rails.preparations.map((preparation) => ({
    name: `prepare the rail ${preparation.name}`,
    everyMs: HOUR_MS,
    run: () => prepare(preparation, clock),
  }));
}

const PREPARE_WITHIN_MS = 30 * SECOND_MS;

/** Throws the provider's reason, so that the schedule reports the failure and retries. */
async function prepare(preparation: RailPreparation, clock: Clock): Promise<void> {
  const prepared = await withDeadline(clock, PREPARE_WITHIN_MS, (deadline) => preparation.prepare(deadline));
  if (!prepared.ok) throw new Error(prepared.error);
}

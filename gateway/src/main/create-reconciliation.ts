/** Reconciliation with the providers that payouts go by: the daily tasks, and what an operator may ask for. */

import type { GatewayOperations } from '../cli/gateway-operations.ts';
import { daysToReconcile, reconcilePayouts } from '../domain/payouts/reconcile-payouts.ts';
import { createResolveDifference } from '../domain/payouts/resolve-difference.ts';
import { HOUR_MS } from '../foundation/clock.ts';
import type { PeriodicTask } from '../worker/periodic-work.ts';
import { createReport } from './create-report.ts';
import type { Hooks } from './observability/hooks.ts';
import type { GatewayCore } from './open-core.ts';

/** Several times a day, so that a provider that was away is asked again. */
const RECONCILE_EVERY_MS = 6 * HOUR_MS;

/** `nudge` wakes the callback worker of this process. */
export function reconciliationTasks(core: GatewayCore, hooks: Hooks, nudge: () => void): PeriodicTask[] {
  const { rails, reconciliations: store, clock } = core;
  const report = createReport(core, hooks, nudge);
  return rails.payoutListers.map((lister) => ({
    name: `reconcile the payouts of ${lister.rail}`,
    everyMs: RECONCILE_EVERY_MS,
    async run(signal) {
      for (const day of daysToReconcile(lister, clock.now())) {
        if (signal.aborted) return;
        hooks.onPayoutsReconciled(await reconcilePayouts({ lister, store, report, clock }, day, signal));
      }
    },
  }));
}

const NOBODY_TO_WAKE = () => {};

export function reconciliationOperations(core: GatewayCore, hooks: Hooks): GatewayOperations['reconciliation'] {
  const { rails, reconciliations: store, clock } = core;
  const report = createReport(core, hooks, NOBODY_TO_WAKE);
  return {
    rails: rails.payoutListers.map(({ rail }) => rail),
    async run(rail, day) {
      const lister = rails.payoutListers.find((each) => each.rail === rail);
      return lister && reconcilePayouts({ lister, store, report, clock }, day, new AbortController().signal);
    },
    differences: store.differences,
    resolve: createResolveDifference(store, clock),
  };
}

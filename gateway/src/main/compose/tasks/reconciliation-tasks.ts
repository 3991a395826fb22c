/** The periodic tasks of the reconciliation of payouts. */
import { reconcileDays } from '../../../domain/reconciliation/reconcile-days.ts';
import { withParts } from '../../../foundation/with-parts.ts';
import type { PeriodicTask } from '../../../worker/periodic-work.ts';
import type { Hooks } from '../../observability/hooks.ts';
import type { Publishing } from '../create-publishing.ts';
import type { GatewayCore } from '../gateway-core.ts';
import { comparisonsOf } from '../operations/reconciliation-operations.ts';

export function reconciliationTasks(core: GatewayCore, hooks: Hooks, { settle }: Publishing): PeriodicTask[] {
  return comparisonsOf(core, hooks, settle).map(({ rail, everyMs, dayOf, compare }) => ({
    name: `reconcile the payouts of ${rail}`,
    everyMs,
    run: withParts(reconcileDays, {
      dayOf,
      compare,
      everyMs,
      comparedAt: new Map(),
      listCompared: async (from, until) =>
        (await core.reconciliations.listDays({ rail, from, until })).map(({ day }) => day),
      clock: core.clock,
      onCompared: hooks.onPayoutsReconciled,
      booksSince: core.booksSince,
    }),
  }));
}

/** The schedule: what a gateway does from time to time, as a table. Of all processes one at a time is at each task. */
import { destroyExpiredRecords } from '../domain/vault/destroy-expired-records.ts';
import { HOUR_MS } from '../foundation/clock.ts';
import { runExclusively } from '../storage/exclusive-work.ts';
import { verifyInvariants } from '../storage/verify-invariants.ts';
import { createPeriodicWork, type PeriodicWork } from '../worker/periodic-work.ts';
import { depositTasks } from './create-deposits.ts';
import type { Hooks } from './observability/hooks.ts';
import type { GatewayCore } from './open-core.ts';

/** `nudge` wakes the callback worker of this process. */
export function createSchedule(core: GatewayCore, hooks: Hooks, nudge: () => void): PeriodicWork {
  const { database, clock, vaultStore } = core;
  const { onProblem, onInvariantBroken } = hooks;
  return createPeriodicWork({
    tasks: [
      ...depositTasks(core, hooks, nudge),
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

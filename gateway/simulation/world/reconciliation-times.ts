/** The times at which the gateway compares its records with a provider's list. The world must not jump over them. */
import { QUERY_PAUSES_MS } from '../../src/domain/reconciliation/reconcile-by-asking.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../src/foundation/clock.ts';
import type { World } from './world.ts';

/**
 * A list may fail, and a process may be down. Rails with lists compare complete days of payouts every six hours. Rails that
 * are queried per payout compare them once a day.
 */
const TIMES = {
  transfers: { intervalsMs: [HOUR_MS], hours: [1, 2, 3, 5, 26] },
  payouts: { intervalsMs: [6 * HOUR_MS, DAY_MS], hours: [7, 26, 50, 74] },
};

/** Call it if only a reconciliation can inform the gateway of a change. */
export function awaitReconciliation(world: World, what: keyof typeof TIMES): void {
  const { intervalsMs, hours } = TIMES[what];
  const wake = () => {
    for (const everyMs of intervalsMs) world.wakeEvery(everyMs);
    continueQueries(world);
  };
  for (const each of hours) world.inHourAfter(each * HOUR_MS, `reconcile ${what}`, wake);
}

/** After this many seconds without a pause, no comparison is in progress. */
const IDLE_SECONDS = 10;

/**
 * A comparison pauses after each query. Without another event the world would end that pause hours later, and the comparison
 * would exceed its time limit after a few payouts.
 */
function continueQueries(world: World, idleSeconds = 0): void {
  const idle = world.wakeAfter(QUERY_PAUSES_MS) ? 0 : idleSeconds + 1;
  if (idle < IDLE_SECONDS) world.after(SECOND_MS, () => continueQueries(world, idle));
}

/** The times at which the gateway compares its records with a provider's list. The world must not jump over them. */
import { HOUR_MS } from '../../src/foundation/clock.ts';
import type { World } from './world.ts';

/** A list may fail, and a process may be down. Payouts are compared by complete days. */
const TIMES = {
  transfers: { everyMs: HOUR_MS, hours: [1, 2, 3, 5, 26] },
  payouts: { everyMs: 6 * HOUR_MS, hours: [7, 26, 50, 74] },
};

/** Call it when nothing but a reconciliation can inform the gateway. */
export function awaitReconciliation(world: World, what: keyof typeof TIMES): void {
  const { everyMs, hours } = TIMES[what];
  for (const each of hours) world.inHourAfter(each * HOUR_MS, `reconcile ${what}`, () => world.wakeEvery(everyMs));
}

/** The operator's end of a difference: who looked at it and what it was. It moves no money; `payout resolve` does. */
import type { Clock } from '../../foundation/clock.ts';
import type { DifferenceKey, ReconciliationStore } from './reconciliation-store.ts';

/** False: there is no such open difference. */
export type ResolveDifference = (key: DifferenceKey, by: string, resolution: string) => Promise<boolean>;

export function createResolveDifference(store: Pick<ReconciliationStore, 'resolve'>, clock: Clock): ResolveDifference {
  return (key, by, resolution) => store.resolve(key, by, resolution, clock.now());
}

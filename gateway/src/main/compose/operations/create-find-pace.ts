/** The pace of each rail, cached for some minutes, because every page of pending payments shows it. */

import type { VolumeStore } from '../../../domain/ledger/volume-store.ts';
import { type FindPace, PACE_OVER_MS, type Pace, paceOf } from '../../../domain/monitoring/pace.ts';
import { type Clock, type Instant, MINUTE_MS } from '../../../foundation/clock.ts';

const KEPT_MS = 5 * MINUTE_MS;

interface FindPaceParts {
  readonly volumes: Pick<VolumeStore, 'waits'>;
  readonly clock: Clock;
}

export function createFindPace({ volumes, clock }: FindPaceParts): FindPace {
  const kept = new Map<string, { readonly at: Instant; readonly pace: Pace | null }>();
  return async (flow, rail) => {
    const key = `${flow} ${rail}`;
    const known = kept.get(key);
    if (known && Math.abs(clock.now() - known.at) < KEPT_MS) return known.pace;
    const at = clock.now();
    const pace = paceOf(await volumes.waits(flow, rail, at - PACE_OVER_MS));
    kept.set(key, { at, pace });
    return pace;
  };
}

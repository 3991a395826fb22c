/** Whether a rail accepts payouts, and its recent success. */
import type { Volume } from '../../../../gateway/contract/endpoints/ledger.ts';
import type { Rail } from '../../../../gateway/contract/endpoints/rails.ts';
import { medianWaitOf, successRateOf } from '../../parts/money/volumes.ts';

export type RailState = 'paused' | 'down' | 'probing' | 'up' | 'unattended' | 'collecting';

/** `unattended`: no worker has reported the rail recently. `collecting`: it carries no payouts, so no worker reports it. */
export function railStateOf({ pause, workers, methods, purposes }: Rail): RailState {
  if (pause !== null) return 'paused';
  if (workers.some(({ breaker }) => breaker === 'open')) return 'down';
  if (workers.some(({ breaker }) => breaker === 'half_open')) return 'probing';
  if (workers.length > 0) return 'up';
  return methods.length + purposes.length === 0 ? 'collecting' : 'unattended';
}

export const inFlightOf = ({ workers }: Rail): number => workers.reduce((sum, { inFlight }) => sum + inFlight, 0);

interface RailFigures {
  readonly results: number;
  /** The rate in percent. Null if no payout has a result. */
  readonly successRate: number | null;
  /** The median. Infinity means above the last bucket. */
  readonly medianMs: number | null;
}

const ANY = '*';

/** Covers all currencies, because the rate and the wait count payments, not amounts. */
export function figuresOf(rail: string, volumes: readonly Volume[], bucketsMs: readonly number[]): RailFigures {
  const own = volumes.filter((volume) => volume.rail === rail).map((volume) => ({ ...volume, currency: ANY }));
  const results = own.filter(({ flow, state }) => flow === 'payout' && (state === 'success' || state === 'blocked'));
  return {
    results: results.reduce((sum, { payments }) => sum + payments, 0),
    successRate: successRateOf(own, ANY),
    medianMs: medianWaitOf(own, bucketsMs, ANY),
  };
}

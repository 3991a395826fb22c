/** How long the payments of a rail take to their result, according to the last two weeks. */
import { DAY_MS } from '../../foundation/clock.ts';
import { type Flow, WAIT_BUCKETS_MS } from '../ledger/volume.ts';

export interface Pace {
  /** The number of results in this estimate. */
  readonly payments: number;
  /** Half of them took at most this long. Null means longer than the bounded buckets. */
  readonly halfMs: number | null;
  /** 95% of the payments took at most this long. */
  readonly mostMs: number | null;
}

/** Resolves to null if too few payments completed for an estimate. */
export type FindPace = (flow: Flow, rail: string) => Promise<Pace | null>;

export const PACE_OVER_MS = 14 * DAY_MS;
/** With fewer results, the slowest one would become the expectation. */
const FEWEST = 10;

/** `waits` contains results by bucket. The estimate is the upper bound of a bucket, so it never promises too much. */
export function paceOf(waits: readonly number[]): Pace | null {
  const payments = waits.reduce((sum, count) => sum + count, 0);
  if (payments < FEWEST) return null;
  return { payments, halfMs: endedWithin(waits, 0.5), mostMs: endedWithin(waits, 0.95) };
}

/** Returns the upper bound of that quantile's bucket. Null for the unbounded last bucket and without results. */
export function endedWithin(waits: readonly number[], part: number): number | null {
  const wanted = part * waits.reduce((sum, count) => sum + count, 0);
  let ended = 0;
  const bucket = waits.findIndex((count) => {
    ended += count;
    return ended > 0 && ended >= wanted;
  });
  return WAIT_BUCKETS_MS[bucket] ?? null;
}

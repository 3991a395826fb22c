/** Rates and the buckets of durations as text. */
import { en } from '../words/en/en.ts';

/** Null: there is nothing to count. */
export const percent = (rate: number | null): string => (rate === null ? '–' : `${rate} %`);

/** A duration of at most the upper end of a bucket. Infinity: above the last one. */
export function atMost(ms: number | null, units = en.charts.units): string {
  if (ms === null) return '–';
  if (ms === Number.POSITIVE_INFINITY) return `> 1 ${units.d}`;
  if (ms < 1_000) return `≤ ${ms} ${units.ms}`;
  if (ms < 60_000) return `≤ ${ms / 1_000} ${units.s}`;
  if (ms < 3_600_000) return `≤ ${Math.round(ms / 60_000)} ${units.min}`;
  return `≤ ${Math.round(ms / 3_600_000)} ${units.h}`;
}

/** Rates and waits in words. */

/** Null: there is nothing to count. */
export const percent = (rate: number | null): string => (rate === null ? '–' : `${rate} %`);

/** The upper end of a bucket. Infinity: above the last one. */
export function duration(ms: number | null): string {
  if (ms === null) return '–';
  if (ms === Number.POSITIVE_INFINITY) return '> 1 d';
  if (ms < 1_000) return `≤ ${ms} ms`;
  if (ms < 60_000) return `≤ ${ms / 1_000} s`;
  return ms < 3_600_000 ? `≤ ${Math.round(ms / 60_000)} min` : `≤ ${Math.round(ms / 3_600_000)} h`;
}

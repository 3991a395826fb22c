/** Durations and rates as text. */
import { EN_CHARTS } from '../../words/en/charts.ts';

const STEPS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
] as const;

/** Formats 93,600,000 ms as 1 d 2 h. */
export function formatDuration(ms: number, units = EN_CHARTS.charts.units): string {
  const first = STEPS.findIndex(([, unit]) => ms >= unit);
  const [name, unit] = STEPS[first] ?? [];
  if (name === undefined || unit === undefined) return `< 1 ${units.min}`;
  const [next, part] = STEPS[first + 1] ?? [];
  const rest = part === undefined ? 0 : Math.floor((ms % unit) / part);
  return `${Math.floor(ms / unit)} ${units[name]}${rest > 0 && next ? ` ${rest} ${units[next]}` : ''}`;
}

/** `rate` is null if there is nothing to count. */
export const percent = (rate: number | null): string => (rate === null ? '–' : `${rate} %`);

/** Formats a duration of at most the upper end of a bucket. Infinity means above the last bucket. */
export function atMost(ms: number | null, units = EN_CHARTS.charts.units): string {
  if (ms === null) return '–';
  if (ms === Number.POSITIVE_INFINITY) return `> 1 ${units.d}`;
  if (ms < 1_000) return `≤ ${ms} ${units.ms}`;
  if (ms < 60_000) return `≤ ${ms / 1_000} ${units.s}`;
  if (ms < 3_600_000) return `≤ ${Math.round(ms / 60_000)} ${units.min}`;
  return `≤ ${Math.round(ms / 3_600_000)} ${units.h}`;
}

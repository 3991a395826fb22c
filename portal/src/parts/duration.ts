/** Durations as text. */
import { en } from '../words/en/en.ts';

const STEPS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
] as const;

/** 93,600,000 ms → 1 d 2 h */
export function formatDuration(ms: number, units = en.charts.units): string {
  const first = STEPS.findIndex(([, unit]) => ms >= unit);
  const [name, unit] = STEPS[first] ?? [];
  if (name === undefined || unit === undefined) return `< 1 ${units.min}`;
  const [next, part] = STEPS[first + 1] ?? [];
  const rest = part === undefined ? 0 : Math.floor((ms % unit) / part);
  return `${Math.floor(ms / unit)} ${units[name]}${rest > 0 && next ? ` ${rest} ${units[next]}` : ''}`;
}

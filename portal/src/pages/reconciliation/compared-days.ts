/** The calendar of compared days. */
import type { Answer } from '../../api/client.ts';
import { DAY_MS } from '../../browser.ts';

export type KeptDay = Answer<'reconciliation.listDays'>['items'][number];

/** `open`: a difference is unresolved. `resolved`: all differences were resolved. `none`: the day was not compared. */
type DayState = 'open' | 'resolved' | 'matched' | 'none';

/** Returns the days until `until`, oldest first. */
export function daysUntil(until: string, count: number): string[] {
  const last = Date.parse(until);
  return Array.from({ length: count }, (_, index) =>
    new Date(last - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}

export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

export function dayStateOf(kept: KeptDay | undefined, openOf: number): DayState {
  if (openOf > 0 || (kept?.open ?? 0) > 0) return 'open';
  if (!kept) return 'none';
  return kept.found > 0 ? 'resolved' : 'matched';
}

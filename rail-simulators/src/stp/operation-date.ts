/**
 * SPEI's operation date (`YYYYMMDD`). From 18:00 in Mexico City, and on weekends, a transfer belongs to the next banking
 * day. Mexico City is at UTC-6, so the next date begins at midnight UTC. It ignores holidays.
 */
import { DAY_MS } from '../clock.ts';

const WAIT_BY_WEEKDAY: Readonly<Record<number, number>> = { 0: 1, 6: 2 };

export function operationDate(now: number): string {
  const day = new Date(now);
  const bankingDay = new Date(now + (WAIT_BY_WEEKDAY[day.getUTCDay()] ?? 0) * DAY_MS);
  return bankingDay.toISOString().slice(0, 10).replaceAll('-', '');
}

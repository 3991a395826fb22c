/**
 * Computes SPEI's operation date: the banking day of a transfer, which STP's queries use. A transfer of Friday evening belongs
 * to Monday. Mexico City has kept UTC-6 all year since October 2022. Confirmed by recorded transfers of public clients: 18:02
 * and later belongs to the next day, and a Saturday to Monday. Not confirmed: the minute of the change (taken as 18:00). This
 * module knows no bank holidays, so on the eve of one the true date is a later date. A caller that searches for a transfer
 * must search the following dates as well.
 */
import { DAY_MS, HOUR_MS, type Instant, utcDayOf } from '../../foundation/clock.ts';

const ZONE_MS = -6 * HOUR_MS;
const NEXT_DAY_FROM_MS = 18 * HOUR_MS;
const SATURDAY = 6;
const SUNDAY = 0;

/** Returns the date as `YYYYMMDD`. */
export function operationDate(instant: Instant): string {
  return write(nextBankingDay(instant + ZONE_MS + (DAY_MS - NEXT_DAY_FROM_MS)));
}

/** Returns the operation date after `date` (`YYYYMMDD`). */
export function nextOperationDate(date: string): string {
  return write(nextBankingDay(Date.parse(dashed(date)) + DAY_MS));
}

/** Returns every operation date from `from`'s to `to`'s, inclusive. */
export function operationDates(from: Instant, to: Instant): string[] {
  const dates = [operationDate(from)];
  const last = operationDate(to);
  for (let date = operationDate(from); date < last; ) {
    date = nextOperationDate(date);
    dates.push(date);
  }
  return dates;
}

export function isDate(text: string): boolean {
  if (!/^\d{8}$/.test(text)) return false;
  const instant = Date.parse(dashed(text));
  return Number.isFinite(instant) && write(instant) === text;
}

function nextBankingDay(local: number): number {
  const day = new Date(local).getUTCDay();
  const wait = { [SATURDAY]: 2, [SUNDAY]: 1 }[day] ?? 0;
  return local + wait * DAY_MS;
}

const dashed = (date: string) => `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T00:00:00Z`;
const write = (instant: number) => utcDayOf(instant).replaceAll('-', '');

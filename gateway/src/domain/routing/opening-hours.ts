/**
 * The opening hours of a rail: `Mon-Fri 08:30-17:00 America/Toronto`, with several parts joined by commas and one time
 * zone at the end. Outside them, its payouts wait and show until when.
 */
import { type Instant, MINUTE_MS } from '../../foundation/clock.ts';

const DAYS: readonly (string | undefined)[] = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const MINUTES_OF_DAY = 24 * 60;

interface Window {
  /** The days as indexes of `DAYS`. */
  readonly days: ReadonlySet<number>;
  /** Minutes since midnight. `until` is after `from`, and at most 1440. */
  readonly from: number;
  readonly until: number;
}

export interface OpeningHours {
  /** The text as the operator wrote it. */
  readonly text: string;
  readonly zone: string;
  readonly windows: readonly Window[];
}

export interface RailHours {
  readonly rail: string;
  readonly hours: OpeningHours;
}

export const OPENING_HOURS_ACCEPTED =
  'days, times and a time zone, such as "Mon-Fri 08:30-17:00 America/Toronto" or "Mon-Thu 09:00-16:00, Fri 09:00-15:00 Europe/Kyiv"';

const PART = /^(?<first>[A-Z][a-z]{2})(?:-(?<last>[A-Z][a-z]{2}))? (?<from>\d{2}:\d{2})-(?<until>\d{2}:\d{2})$/;

/** Returns undefined if the string is not valid opening hours. */
export function readOpeningHours(text: string): OpeningHours | undefined {
  const [, parts, zone] = /^(.+) ([A-Za-z_]+(?:\/[A-Za-z0-9_+-]+)*)$/.exec(text.trim()) ?? [];
  if (parts === undefined || zone === undefined || !isZone(zone)) return undefined;
  const windows = parts.split(',').map((part) => readWindow(part.trim()));
  return windows.every((window) => window !== undefined) ? { text: text.trim(), zone, windows } : undefined;
}

function readWindow(part: string): Window | undefined {
  const { first, last = first, from, until } = PART.exec(part)?.groups ?? {};
  const [start, end] = [dayNumber(first), dayNumber(last)];
  const [opens, closes] = [minutesOf(from), minutesOf(until)];
  if (start < 0 || end < 0 || opens === undefined || closes === undefined || opens >= closes) return undefined;
  const length = ((end - start + DAYS.length) % DAYS.length) + 1;
  return {
    days: new Set(Array.from({ length }, (_, index) => (start + index) % DAYS.length)),
    from: opens,
    until: closes,
  };
}

function dayNumber(name: string | undefined): number {
  return DAYS.indexOf(name);
}

function minutesOf(text: string | undefined): number | undefined {
  const [hours = Number.NaN, minutes = Number.NaN] = text?.split(':').map(Number) ?? [];
  const total = hours * 60 + minutes;
  return minutes < 60 && total <= MINUTES_OF_DAY ? total : undefined;
}

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** Returns when the rail next accepts payouts, to the minute, or `now` while it is open. */
export function opensAt(hours: OpeningHours, now: Instant): Instant {
  const { day, minute } = wallTime(hours.zone, now);
  if (isOpen(hours, day, minute)) return now;
  // Across a change of daylight saving time, the result may be off by an hour. The worker then checks again.
  const waits = hours.windows.flatMap(({ days, from }) =>
    [...days].map((openDay) => {
      const ahead = (openDay - day + DAYS.length) % DAYS.length;
      const wait = ahead * MINUTES_OF_DAY + from - minute;
      return wait > 0 ? wait : wait + DAYS.length * MINUTES_OF_DAY;
    }),
  );
  return startOfMinute(now) + Math.min(...waits) * MINUTE_MS;
}

/** Returns when a closed rail opens, or undefined if it is open. */
export function closedUntil(all: readonly RailHours[], rail: string, now: Instant): Instant | undefined {
  const own = all.find((each) => each.rail === rail);
  const opening = own ? opensAt(own.hours, now) : now;
  return opening > now ? opening : undefined;
}

function isOpen({ windows }: OpeningHours, day: number, minute: number): boolean {
  return windows.some(({ days, from, until }) => days.has(day) && minute >= from && minute < until);
}

function startOfMinute(now: Instant): Instant {
  return now - (now % MINUTE_MS);
}

const FORMATS = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = FORMATS.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  FORMATS.set(zone, made);
  return made;
}

function wallTime(zone: string, now: Instant): { day: number; minute: number } {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(now)
      .map(({ type, value }) => [type, value]),
  );
  return { day: dayNumber(parts['weekday']), minute: Number(parts['hour']) * 60 + Number(parts['minute']) };
}

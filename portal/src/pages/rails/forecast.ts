/** Estimates when a prefunded balance runs out if the next days spend as much as the same hours of the last week. */
import type { Volume } from '../../../../gateway/contract/endpoints/ledger.ts';
import { HOUR_MS } from '../../browser.ts';

const WEEK_HOURS = 168;
export const FORECAST_HOURS = 72;

interface Forecast {
  readonly hours: readonly { readonly at: string; readonly balance: number }[];
  /** The first hour at whose end nothing is left. Null if money is left after all hours. */
  readonly emptyAt: string | null;
  /** The average spending per day in the last week. */
  readonly perDay: number;
}

/** Only successful payouts have reduced the balance. */
const isSpent = ({ currency, flow, state }: Volume, its: string) =>
  currency === its && flow !== 'deposit' && state === 'success';

/** `volumes` are those of the rail in the last week, by hour. */
export function forecastOf(balance: string, currency: string, volumes: readonly Volume[], now: number): Forecast {
  const spent = new Map<number, number>();
  for (const volume of volumes) {
    if (!isSpent(volume, currency)) continue;
    const hour = Date.parse(volume.start) / HOUR_MS;
    spent.set(hour, (spent.get(hour) ?? 0) + Number(volume.amount));
  }
  const first = Math.floor(now / HOUR_MS);
  let left = Number(balance);
  const hours = Array.from({ length: FORECAST_HOURS }, (_, index) => {
    const hour = first + index;
    left = Math.max(0, left - (spent.get(hour - WEEK_HOURS) ?? 0));
    return { at: new Date((hour + 1) * HOUR_MS).toISOString(), balance: left };
  });
  const perDay = [...spent.values()].reduce((sum, amount) => sum + amount, 0) / 7;
  return { hours, perDay, emptyAt: hours.find(({ balance: rest }) => rest === 0)?.at ?? null };
}

/** Returns the expected balance in a day. `spent` contains the rail's volumes of the same day of the last week. */
export function inADay(balance: string, currency: string, spent: readonly Volume[]): string {
  const amounts = spent.filter((each) => isSpent(each, currency)).map(({ amount }) => Number(amount));
  return Math.max(
    0,
    amounts.reduce((left, amount) => left - amount, Number(balance)),
  ).toFixed(2);
}

/** Returns how many days a balance lasts, or undefined if nothing is spent. */
export function daysOf(balance: string, perDay: number): string | undefined {
  const days = Number(balance) / perDay;
  return perDay > 0 ? days.toFixed(days < 10 ? 1 : 0) : undefined;
}

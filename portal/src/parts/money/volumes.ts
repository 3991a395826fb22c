/** Figures from the API's volumes: the paid amount, the success rate and the wait. */
import type { Volume } from '../../../../gateway/contract/endpoints/ledger.ts';
import { sumOf } from './amounts.ts';

type Flow = Volume['flow'];

/** Returns the amount of the successful payments of one flow and currency. */
export function paidOf(volumes: readonly Volume[], flow: Flow, currency: string): string {
  return totalOf(succeeded(volumes, flow, currency));
}

/** Returns the success rate of payouts with a result, in percent, or null if none has a result. */
export function successRateOf(volumes: readonly Volume[], currency: string): number | null {
  const count = (state: string) =>
    volumes
      .filter((volume) => volume.flow === 'payout' && volume.currency === currency && volume.state === state)
      .reduce((sum, { payments }) => sum + payments, 0);
  const results = count('success') + count('blocked');
  return results === 0 ? null : Math.round((1000 * count('success')) / results) / 10;
}

/** Returns the upper end of the median wait's bucket in ms. Infinity for the last bucket, null without results. */
export function medianWaitOf(
  volumes: readonly Volume[],
  bucketsMs: readonly number[],
  currency: string,
): number | null {
  const waits = volumes.filter((volume) => volume.flow === 'payout' && volume.currency === currency);
  const counts = [...bucketsMs, Number.POSITIVE_INFINITY].map((_, index) =>
    waits.reduce((sum, { waits: each }) => sum + (each[index] ?? 0), 0),
  );
  const total = counts.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  const at = counts.findIndex((count) => {
    seen += count;
    return total > 0 && seen * 2 >= total;
  });
  return at < 0 ? null : (bucketsMs[at] ?? Number.POSITIVE_INFINITY);
}

/** Returns the amount of each day, oldest first. */
export function perDay(volumes: readonly Volume[], flow: Flow, currency: string, days: readonly string[]): string[] {
  const found = succeeded(volumes, flow, currency);
  return days.map((day) => totalOf(found.filter(({ start }) => start.startsWith(day))));
}

/** A day without payments has as many decimals as the others. */
function totalOf(volumes: readonly Volume[]): string {
  return sumOf(['0.00', ...volumes.map(({ amount }) => amount)]);
}

function succeeded(volumes: readonly Volume[], flow: Flow, currency: string): Volume[] {
  return volumes.filter((each) => each.flow === flow && each.currency === currency && each.state === 'success');
}

/** Returns the currencies, that with the most payments first. */
export function currenciesOf(volumes: readonly Volume[]): string[] {
  const counts = [...Map.groupBy(volumes, ({ currency }) => currency)].map(([currency, its]) => ({
    currency,
    payments: its.reduce((sum, { payments }) => sum + payments, 0),
  }));
  return counts
    .sort((one, other) => other.payments - one.payments || one.currency.localeCompare(other.currency))
    .map(({ currency }) => currency);
}

/** Writes amounts, durations and times in the payer's language. The server does not know the payer's time zone. */

import type { Language } from '../../../domain/payments/form-session.ts';
import { HOUR_MS, type Instant, MINUTE_MS } from '../../../foundation/clock.ts';
import { formatAmount, type Money } from '../../../foundation/money.ts';

/** `₴1,234.50` or `1 234,50 ₴`, exact for amounts of any size. */
export function amountText({ currency, ...money }: Money, language: Language): string {
  const decimal = formatAmount({ currency, ...money }) as Intl.StringNumericLiteral;
  return new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).format(
    decimal,
  );
}

/** `24 minutes` or `3 hours`: whole hours and minutes, rounded up to at least `1 minute`. */
export function durationText(ms: number, language: Language): string {
  const minutes = Math.max(1, Math.ceil(ms / MINUTE_MS));
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const parts = [unitText(hours, 'hour', language), unitText(rest, 'minute', language)];
  return parts.filter((_, index) => (index === 0 ? hours : rest) > 0).join(' ');
}

function unitText(count: number, unit: 'hour' | 'minute', language: Language): string {
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}

/** `25 November 2026 at 18:20 UTC`. The script replaces it by the time in the payer's zone. */
export function momentText(at: Instant, language: Language): string {
  const parts = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat(language, parts).format(at)} UTC`;
}

/** `Germany`; the code itself if it names no country. */
export function countryText(code: string, language: Language): string {
  return /^[A-Z]{2}$/.test(code) ? (new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code) : code;
}

/** `3 minutes ago`. */
export function agoText(since: Instant, now: Instant, language: Language): string {
  const elapsedMs = Math.max(0, now - since);
  const texts = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  return elapsedMs < HOUR_MS
    ? texts.format(-Math.floor(elapsedMs / MINUTE_MS), 'minute')
    : texts.format(-Math.floor(elapsedMs / HOUR_MS), 'hour');
}

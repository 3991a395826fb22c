/** Parsers of arguments. Each returns the value, or throws an error that lists the accepted values. None opens a gateway. */
import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import type { TransferId } from '../domain/deposits/deposit.ts';
import type { Instant } from '../foundation/clock.ts';
import { CURRENCIES, type Currency, isCurrency } from '../foundation/currency.ts';
import { type Money, parseAmount } from '../foundation/money.ts';
import { type ProcessCount, processCount } from '../foundation/process-count.ts';
import { unreadableText } from './command-output.ts';

export function readCurrency(text: string): Currency {
  if (!isCurrency(text)) throw new InvalidArgumentError(`It must be one of ${CURRENCIES.join(', ')}.`);
  return text;
}

/** Parses an amount in the currency of the preceding argument. */
export function readAmount(text: string, currency: Currency): Money {
  const money = parseAmount(text, currency);
  if (!money)
    throw new InvalidArgumentError(`AMOUNT must be above zero, with the decimals of ${currency}, not "${text}".`);
  return money;
}

/** Parses an option that accepts one of a few words. */
export function readOneOf<const Words extends readonly string[]>(words: Words): (text: string) => Words[number] {
  return (text) => {
    const found = words.find((word) => word === text);
    if (found === undefined) throw new InvalidArgumentError(`It must be one of ${words.join(', ')}.`);
    return found;
  };
}

/** Parses an option that accepts a comma-separated list of known words. */
export function readListOf<const Words extends readonly string[]>(words: Words): (text: string) => Words[number][] {
  const readWord = readOneOf(words);
  return (text) => [...new Set(text.split(',').map((word) => readWord(word.trim())))];
}

export function readWholeNumber(lowest: number, highest: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= lowest && value <= highest) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${lowest} to ${highest}.`);
  };
}

export function readProcessCount(text: string): ProcessCount {
  const count = processCount.read(text);
  if (count === undefined) throw new InvalidArgumentError(`It must be ${processCount.accepts}.`);
  return count;
}

export function readTransactionId(text: string): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new InvalidArgumentError('It must be a number, as "gateway deposit show" prints it.');
}

/** Collects `--set name=value`, which may occur any number of times. */
export function collectSettings(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must have the form name=value.');
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

/** Reads a picture in the format of the setting `logo`. The gateway checks its content. */
export function readLogoFile(path: string): string {
  const type = /\.svg$/i.test(path) ? 'svg+xml' : 'png';
  try {
    return `data:image/${type};base64,${readFileSync(path).toString('base64')}`;
  } catch (error) {
    throw new InvalidArgumentError(unreadableText(path, error));
  }
}

/** Collects an option that may occur any number of times. */
export function collectTexts(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** Parses `RAIL/KEY`, where the key may contain slashes. */
export function readTransferId(text: string): TransferId {
  const [, rail, transferKey] = /^([^/]+)\/(.+)$/.exec(text) ?? [];
  if (rail === undefined || transferKey === undefined)
    throw new InvalidArgumentError('It must have the form RAIL/KEY, as "gateway deposit held" prints it.');
  return { rail, transferKey };
}

/** Parses an existing day such as `2026-11-20`. Rejects years that the database cannot store, such as 0000. */
export function readDay(text: string): string {
  const instant = /^2\d{3}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (!Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text)) return text;
  throw new InvalidArgumentError('It must be a date such as 2026-11-20.');
}

const UTC_TIME = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{3})?)?)?Z?$/;

/** Parses `2026-11-20` or `2026-11-20 10:00:00` in UTC, or a time as `--json` prints it. */
export function readTime(text: string): Instant {
  const full = text.replace(' ', 'T').replace(/Z$/, '');
  const instant = UTC_TIME.test(text) ? Date.parse(full.includes('T') ? `${full}Z` : `${full}T00:00Z`) : Number.NaN;
  if (Number.isNaN(instant))
    throw new InvalidArgumentError('It must be a date such as 2026-11-20 or "2026-11-20 10:00:00" (UTC).');
  return instant;
}

export function readAddress(text: string): URL {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new InvalidArgumentError('It must be a URL such as http://127.0.0.1:9000/callbacks.');
}

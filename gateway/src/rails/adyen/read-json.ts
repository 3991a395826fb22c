/**
 * Reads the fields of Adyen's JSON. A number is taken as the very text it was written in: no amount passes through a
 * floating point number, and what is signed is the text.
 */
import type { Currency } from '../../foundation/currency.ts';
import { isCurrency } from '../../foundation/currency.ts';
import type { Money } from '../../foundation/money.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** An object whose numbers are texts, at any depth; undefined when the text holds no JSON object. */
export function readObject(text: string): Fields | undefined {
  try {
    return asFields(JSON.parse(text, keepNumberText));
  } catch {
    return undefined;
  }
}

export function asFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

function keepNumberText(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' ? context?.source : value;
}

/** Empty when the field is absent or no text. */
export function textOf(fields: Fields | undefined, name: string): string {
  const value = fields?.[name];
  return typeof value === 'string' ? value : '';
}

const MOST_SHOWN = 200;

/** A text that may be kept and shown: one line, not endless. */
export function shownTextOf(fields: Fields | undefined, name: string): string {
  return textOf(fields, name)
    .slice(0, MOST_SHOWN)
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .trim();
}

/**
 * How many decimals Adyen counts in: two, as ISO 4217, for all of these. Confirmed by Adyen's page of currencies and by the
 * list of exceptions in its browser library, which has none of them (Adyen differs from ISO 4217 elsewhere, as in CLP).
 */
const ADYEN_DECIMALS: Readonly<Partial<Record<Currency, number>>> = {
  AZN: 2,
  BRL: 2,
  EUR: 2,
  INR: 2,
  KZT: 2,
  MXN: 2,
  UAH: 2,
  USD: 2,
};

export const ADYEN_CURRENCIES: ReadonlySet<Currency> = new Set(Object.keys(ADYEN_DECIMALS).filter(isCurrency));

/** Of Adyen's `{ currency, value }`; undefined where it is not an amount in a currency that we take. */
export function moneyOf(value: unknown): Money | undefined {
  const fields = asFields(value);
  const currency = textOf(fields, 'currency');
  const minor = textOf(fields, 'value');
  if (!isCurrency(currency) || !ADYEN_CURRENCIES.has(currency) || !/^\d{1,15}$/.test(minor)) return undefined;
  return { currency, minor: BigInt(minor) };
}

/** As `JSON.stringify` writes Adyen's amount. */
export function adyenAmount({ currency, minor }: Money): { readonly currency: Currency; readonly value: number } {
  return { currency, value: Number(minor) };
}

/** Reads the fields of the bank's JSON. Amounts are texts there, so none passes through a floating point number. */
import { type Money, parseAmount } from '../../foundation/money.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** Undefined when the bytes hold no JSON object. */
export function readObject(body: Buffer): Fields | undefined {
  try {
    return asFields(JSON.parse(body.toString('utf8')));
  } catch {
    return undefined;
  }
}

export function asFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

const MOST_TEXT = 512;

/** The text of a field without control characters; empty when it is absent or no text. */
export function textOf(fields: Fields | undefined, name: string): string {
  const value = fields?.[name];
  if (typeof value !== 'string') return '';
  return value
    .slice(0, MOST_TEXT)
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .trim();
}

/** The items of a list; a single object stands for a list of one (so in an example of the OpenAPI document itself). */
export function listOf(fields: Fields, name: string): readonly unknown[] {
  const value = fields[name];
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

/** Above zero, with exactly two decimals. */
export function moneyOf(fields: Fields | undefined, name: string): Money | undefined {
  const text = textOf(fields, name);
  return /^\d{1,10}\.\d{2}$/.test(text) ? parseAmount(text, 'BRL') : undefined;
}

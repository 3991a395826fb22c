/** Reads the fields of the bank's JSON, which encodes amounts as strings. */
import { type Money, parseAmount } from '../../foundation/money.ts';
import { type Fields, shownTextOf } from '../kit/provider-json.ts';

const MOST_TEXT = 512;

/** Returns the text of a field without control characters. Empty if the field is absent or not a string. */
export function textOf(fields: Fields | undefined, name: string): string {
  return shownTextOf(fields, name, MOST_TEXT);
}

/** Returns the items of a list. A single object is a list of one, because the OpenAPI document has such an example. */
export function listOf(fields: Fields, name: string): readonly unknown[] {
  const value = fields[name];
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

/** Reads an amount above zero with exactly two decimals. */
export function moneyOf(fields: Fields | undefined, name: string): Money | undefined {
  const text = textOf(fields, name);
  return /^\d{1,10}\.\d{2}$/.test(text) ? parseAmount(text, 'BRL') : undefined;
}

/** Reads the fields of the bank's JSON. Amounts are texts there. */
import { type Money, parseAmount } from '../../foundation/money.ts';
import { textOf as exactTextOf, type Fields, shownText } from '../kit/provider-json.ts';

const MOST_TEXT = 512;

/** The text of a field without control characters; empty when it is absent or no text. */
export function textOf(fields: Fields | undefined, name: string): string {
  return shownText(exactTextOf(fields, name), MOST_TEXT);
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

/** Reads the fields of Token.io's JSON. Amounts are texts there, so none passes through a floating point number. */
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
  return isFields(value) ? value : undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldsOf(fields: Fields | undefined, name: string): Fields | undefined {
  return asFields(ownOf(fields, name));
}

/** The objects in a list; nothing where there is no list. */
export function listOf(fields: Fields | undefined, name: string): readonly Fields[] {
  return itemsOf(fields, name).filter(isFields);
}

export function textsOf(fields: Fields | undefined, name: string): readonly string[] {
  return itemsOf(fields, name).filter((item) => typeof item === 'string');
}

/** The very text of a field; empty when it is absent or no text. */
export function textOf(fields: Fields | undefined, name: string): string {
  const value = ownOf(fields, name);
  return typeof value === 'string' ? value : '';
}

const MOST_SHOWN = 256;

/** A text for people to read: without control characters, and cut. */
export function shownTextOf(fields: Fields | undefined, name: string): string {
  return textOf(fields, name)
    .slice(0, MOST_SHOWN)
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .trim();
}

/** An amount in euro, above zero. Token.io may write up to four decimals: those past the second have to be zeros. */
export function euroOf(fields: Fields | undefined, name: string): Money | undefined {
  const amount = fieldsOf(fields, name);
  const [, whole, decimals = ''] = /^(\d{1,12})(?:\.(\d{1,2})0{0,2})?$/.exec(textOf(amount, 'value')) ?? [];
  if (whole === undefined || textOf(amount, 'currency') !== 'EUR') return undefined;
  return parseAmount(decimals === '' ? whole : `${whole}.${decimals}`, 'EUR');
}

function itemsOf(fields: Fields | undefined, name: string): readonly unknown[] {
  const value = ownOf(fields, name);
  return Array.isArray(value) ? value : [];
}

function ownOf(fields: Fields | undefined, name: string): unknown {
  return fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined;
}

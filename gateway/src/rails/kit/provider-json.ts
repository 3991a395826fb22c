/**
 * Parses a provider's JSON: objects, text fields, amounts. The rail's own folder defines the fields and their meaning; this
 * file must not contain them.
 */
import type { Currency } from '../../foundation/currency.ts';
import { type Money, parseAmount } from '../../foundation/money.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A JSON value whose numbers are strings. */
export type Json = string | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

/**
 * Keeps each number as its original string, so no amount passes through a floating-point number. Undefined if the string is not a
 * JSON object.
 */
export function readObject(text: string | Buffer): JsonObject | undefined {
  return asObject(readJson(text));
}

/** Reads any JSON. Undefined for any other string. */
export function readJson(text: string | Buffer): Json | undefined {
  return parse(text, keepNumberText) as Json | undefined;
}

/** Reads an object whose amounts are strings. Numbers stay numbers, so a number in the place of an amount is rejected. */
export function readPlainObject(text: string | Buffer): Fields | undefined {
  return asFields(parse(text));
}

function parse(text: string | Buffer, reviver?: typeof keepNumberText): unknown {
  try {
    return JSON.parse(text.toString(), reviver);
  } catch {
    return undefined;
  }
}

function keepNumberText(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' ? context?.source : value;
}

export function asFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

export function asObject(value: Json | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return asFields(value) !== undefined;
}

export function fieldOf<Value>(fields: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined {
  return fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** Returns undefined if the field is absent or not an object. */
export function objectOf(fields: JsonObject | undefined, name: string): JsonObject | undefined {
  return asObject(fieldOf(fields, name));
}

/** Returns the objects of a list, with undefined for each other entry, or undefined if the field is absent or not a list. */
export function objectsOf(
  fields: JsonObject | undefined,
  name: string,
): readonly (JsonObject | undefined)[] | undefined {
  const items = fieldOf(fields, name);
  return Array.isArray(items) ? items.map((item: Json) => asObject(item)) : undefined;
}

/** Returns the unchanged text of a field. Empty if the field is absent or not a string. */
export function textOf(fields: Fields | undefined, name: string): string {
  const value = fieldOf(fields, name);
  return typeof value === 'string' ? value : '';
}

const MOST_SHOWN = 256;

/** Returns the text of a field for display. */
export function shownTextOf(fields: Fields | undefined, name: string, most = MOST_SHOWN): string {
  return shownText(textOf(fields, name), most);
}

/** Returns one line without control characters, cut to a maximum length. */
export function shownText(text: string, most: number): string {
  return text
    .slice(0, most)
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .trim();
}

/** Above zero, in a currency of two decimals; zeros beyond the second are accepted, any other digit there is not. */
export function amountOf(text: string, currency: Currency): Money | undefined {
  const [, whole, decimals = ''] = /^(\d{1,12})(?:\.(\d{1,2})0*)?$/.exec(text) ?? [];
  return whole === undefined ? undefined : parseAmount(decimals === '' ? whole : `${whole}.${decimals}`, currency);
}

/** Returns an account balance in a currency of two decimals, below zero if overdrawn. Fractions of a minor unit are dropped. */
export function balanceOf(text: string, currency: Currency): Money | undefined {
  const [, sign, whole, decimals = ''] = /^(-?)(\d{1,15})(?:\.(\d{1,12}))?$/.exec(text) ?? [];
  return whole === undefined
    ? undefined
    : { currency, minor: BigInt(`${sign}${whole}${decimals.slice(0, 2).padEnd(2, '0')}`) };
}

/** Returns the balance of a provider that counts in minor units. */
export function minorBalanceOf(text: string, currency: Currency): Money | undefined {
  return /^-?\d{1,18}$/.test(text) ? { currency, minor: BigInt(text) } : undefined;
}

/**
 * Reads Trustly's JSON. It says itself that a number may come as a number or as a text, and its signatures cover the text:
 * so every number is taken as the very text it was written in, and no amount passes through a floating point number.
 */
import { type Money, parseAmount } from '../../foundation/money.ts';

/** JSON whose numbers are texts. */
export type Json = string | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

/** An object; undefined when the bytes hold none. */
export function readObject(body: Buffer): JsonObject | undefined {
  try {
    return asObject(JSON.parse(body.toString('utf8'), keepNumberText));
  } catch {
    return undefined;
  }
}

export function asObject(value: Json | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function keepNumberText(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' ? context?.source : value;
}

/** The text of a field; empty when it is absent, null or no text. */
export function textOf(fields: JsonObject, name: string): string {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return typeof value === 'string' ? value : '';
}

/** An amount in euro, above zero; zeros beyond the second decimal are taken, any other digit there is not. */
export function euroOf(text: string): Money | undefined {
  const [, whole, decimals = ''] = /^(\d{1,12})(?:\.(\d{1,2})0*)?$/.exec(text) ?? [];
  return whole === undefined ? undefined : parseAmount(decimals === '' ? whole : `${whole}.${decimals}`, 'EUR');
}

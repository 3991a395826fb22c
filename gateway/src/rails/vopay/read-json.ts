/**
 * Reads VoPay's JSON, in which numbers, truth values and texts stand for one another (`"TransactionID": "437073"` and
 * `97684`, `"Success": "true"` and `true`). Every one is taken as the text it was written in, and no amount passes through a
 * floating point number.
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
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

/** What VoPay writes as an object with the keys 0, 1, …, or as an array where it is empty. */
export function listOf(fields: JsonObject, name: string): readonly JsonObject[] | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  const items = Array.isArray(value) ? value : Object.values(asObject(value) ?? { none: null });
  const objects = items.map((item: Json) => asObject(item)).filter((item) => item !== undefined);
  return objects.length === items.length ? objects : undefined;
}

function keepNumberText(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' ? context?.source : value;
}

/** The text of a field; empty when it is absent, null, or neither text, number nor truth value. */
export function textOf(fields: JsonObject, name: string): string {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : '';
}

const MOST_SHOWN = 256;

/** A text that may be kept and shown: one line, not endless. */
export function shownTextOf(fields: JsonObject, name: string): string {
  return textOf(fields, name)
    .slice(0, MOST_SHOWN)
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .trim();
}

/** An amount in Canadian dollars, above zero; zeros beyond the second decimal are taken, any other digit there is not. */
export function dollarsOf(text: string): Money | undefined {
  const [, whole, decimals = ''] = /^(\d{1,12})(?:\.(\d{1,2})0*)?$/.exec(text) ?? [];
  return whole === undefined ? undefined : parseAmount(decimals === '' ? whole : `${whole}.${decimals}`, 'CAD');
}

/**
 * Reads VoPay's JSON, in which numbers, truth values and texts stand for one another (`"TransactionID": "437073"` and
 * `97684`, `"Success": "true"` and `true`). Every one is taken as the text it was written in.
 */
import { asObject, fieldOf, type Json, type JsonObject } from '../kit/provider-json.ts';

/** What VoPay writes as an object with the keys 0, 1, …, or as an array where it is empty. */
export function listOf(fields: JsonObject, name: string): readonly JsonObject[] | undefined {
  const value = fieldOf(fields, name);
  const items = Array.isArray(value) ? value : Object.values(asObject(value) ?? { none: null });
  const objects = items.map((item: Json) => asObject(item)).filter((item) => item !== undefined);
  return objects.length === items.length ? objects : undefined;
}

/** The text of a field; empty when it is absent, null, or neither text, number nor truth value. */
export function textOf(fields: JsonObject, name: string): string {
  const value = fieldOf(fields, name);
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : '';
}

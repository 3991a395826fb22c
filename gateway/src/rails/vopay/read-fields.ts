/**
 * Reads VoPay's JSON. VoPay sometimes writes a number or a boolean as a string (`"TransactionID": "437073"` and `97684`,
 * `"Success": "true"` and `true`), so this file reads each as the text in which it was written.
 */
import { asObject, fieldOf, type Json, type JsonObject } from '../kit/provider-json.ts';

/** Reads an object with the keys 0, 1, …, which VoPay writes as an array if it is empty. */
export function listOf(fields: JsonObject, name: string): readonly JsonObject[] | undefined {
  const value = fieldOf(fields, name);
  const items = Array.isArray(value) ? value : Object.values(asObject(value) ?? { none: null });
  const objects = items.map((item: Json) => asObject(item)).filter((item) => item !== undefined);
  return objects.length === items.length ? objects : undefined;
}

/** Returns the text of a field. Empty if the field is absent, null, or neither text, number nor boolean. */
export function textOf(fields: JsonObject, name: string): string {
  const value = fieldOf(fields, name);
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : '';
}

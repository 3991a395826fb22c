/**
 * What makes two requests under one payout_id the same request: the method's known fields, normalised, without the
 * signature; for a method that signs everything, every field (decisions, Answers: same payout_id again). Works on any
 * body that can be read, since a repeated request is answered even where its card has expired by now.
 */
import { parseAmount } from '../../foundation/money.ts';
import { Secret } from '../../foundation/secret.ts';
import { JsonNumber, type JsonObject, type JsonValue } from '../http/json-body.ts';
import { DEFAULT_SIGNED, type MethodField, type PayoutMethod } from './method-table.ts';

/** `method` is undefined for a number that names none. Equal texts = equal content; no two contents share a text. */
export function normaliseContent(body: JsonObject, methodNumber: number, method: PayoutMethod | undefined): Secret {
  const fields = new Map(method?.fields.map((field) => [field.name, field]));
  const entries: (readonly [string, string])[] = [['method', String(methodNumber)]];
  for (const name of contentNames(body, method)) {
    const value = body.get(name);
    if (value === undefined || value === null || (value === '' && fields.get(name)?.mandatory === false)) continue;
    entries.push([name, normaliseValue(value, fields.get(name), method)]);
  }
  return new Secret(JSON.stringify(entries));
}

/** Always in the same order, whatever the order of the request. Who asks, and under which id, is the key and not the content. */
function contentNames(body: JsonObject, method: PayoutMethod | undefined): readonly string[] {
  const aside = (name: string) => !['merchant', 'payout_id', 'method', 'sign'].includes(name);
  if (method?.signed === 'all') return [...body.keys()].filter(aside).sort();
  return (method?.fields.map(({ name }) => name) ?? DEFAULT_SIGNED).filter(aside);
}

function normaliseValue(value: JsonValue, field: MethodField | undefined, method: PayoutMethod | undefined): string {
  if (typeof value !== 'string') return `json ${describe(value)}`;
  if (field?.format === 'amount' && method) {
    const money = parseAmount(value, method.currency);
    if (money) return `minor ${money.minor}`;
  }
  return `text ${field?.format === 'country' ? value.toUpperCase() : value}`;
}

/** JSON again, with numbers as they were written. */
function describe(value: JsonValue): string {
  if (value instanceof JsonNumber) return value.text;
  if (value instanceof Map) {
    const entries = [...(value as JsonObject)].map(([name, item]) => `${JSON.stringify(name)}:${describe(item)}`);
    return `{${entries.sort().join(',')}}`;
  }
  if (Array.isArray(value)) return `[${value.map(describe).join(',')}]`;
  return JSON.stringify(value);
}

/**
 * The normalised content of a payout request: the method's known fields without the signature. Two requests with one
 * payout_id are the same request if their contents are equal (decisions, Answers: same payout_id again). It works on
 * any readable body: an idempotent repeat gets its answer even after the card expired.
 */
import { parseAmount } from '../../foundation/money.ts';
import { Secret } from '../../foundation/secret.ts';
import { JsonNumber, type JsonObject, type JsonValue } from '../http/json-body.ts';
import { DEFAULT_SIGNED, type MethodField, PAYOUT_METHODS, type PayoutMethod } from './method-table.ts';

interface ContentField {
  readonly name: string;
  /** Undefined for a field that the method does not know. */
  readonly field: MethodField | undefined;
}

/** `method` is undefined for an unknown number. Two contents have the same text only if they are equal. */
export function normaliseContent(body: JsonObject, methodNumber: number, method: PayoutMethod | undefined): Secret {
  const entries: (readonly [string, string])[] = [['method', String(methodNumber)]];
  for (const { name, field } of (method && OF_METHODS.get(method)) ?? OF_NO_METHOD) {
    const value = body.get(name);
    if (value === undefined || value === null || (value === '' && field?.mandatory === false)) continue;
    entries.push([name, normaliseValue(value, field, method)]);
  }
  return new Secret(JSON.stringify(entries));
}

/** These fields are the key or the proof of a request, not its content. */
const ASIDE: ReadonlySet<string> = new Set(['merchant', 'payout_id', 'method', 'sign']);

function fieldsNamed(names: readonly string[], method: PayoutMethod | undefined): readonly ContentField[] {
  const content = names.filter((name) => !ASIDE.has(name));
  return content.map((name) => ({ name, field: method?.fields.find((known) => known.name === name) }));
}

/** The order is fixed, whatever the order in the request. */
const OF_NO_METHOD = fieldsNamed(DEFAULT_SIGNED.mandatory, undefined);
const OF_METHODS: ReadonlyMap<PayoutMethod, readonly ContentField[]> = new Map(
  PAYOUT_METHODS.map((method) => [
    method,
    fieldsNamed(
      method.fields.map(({ name }) => name),
      method,
    ),
  ]),
);

function normaliseValue(value: JsonValue, field: MethodField | undefined, method: PayoutMethod | undefined): string {
  if (typeof value !== 'string') return `json ${describe(value)}`;
  if (field?.format === 'amount' && method) {
    const money = parseAmount(value, method.currency);
    if (money) return `minor ${money.minor}`;
  }
  return `text ${field?.format === 'country' ? value.toUpperCase() : value}`;
}

/** Writes JSON that keeps the spelling of numbers. */
function describe(value: JsonValue): string {
  if (value instanceof JsonNumber) return value.text;
  if (value instanceof Map) {
    const entries = [...(value as JsonObject)].map(([name, item]) => `${JSON.stringify(name)}:${describe(item)}`);
    return `{${entries.sort().join(',')}}`;
  }
  if (Array.isArray(value)) return `[${value.map(describe).join(',')}]`;
  return JSON.stringify(value);
}

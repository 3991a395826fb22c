/**
 * Reads the fields of a payout by the table of its method. It checks the formats in the order of the table, then the currency. It
 * keeps a card number secret in whichever field it occurs.
 */
import type { PayoutDraft } from '../../domain/payouts/accept-payout.ts';
import type { PayoutRejection } from '../../domain/payouts/payout-rejection.ts';
import { holdsCardNumber } from '../../domain/vault/card-number.ts';
import { maskCard } from '../../domain/vault/vault.ts';
import { invariant } from '../../foundation/invariant.ts';
import { parseAmount } from '../../foundation/money.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { Secret } from '../../foundation/secret.ts';
import { JsonNumber, type JsonObject, type JsonValue } from '../http/json-body.ts';
import { FORMATS, type FormatContext } from './formats.ts';
import { DEFAULT_SIGNED, type MethodField, PAYOUT_METHODS, type PayoutMethod } from './method-table.ts';

/** Returns the names of all fields that the method would reject, in the order of its table. */
export function faultyFields(body: JsonObject, method: PayoutMethod, context: FormatContext): string[] {
  const faulty = method.fields.filter((field) => !readField(body, field, context).ok).map(({ name }) => name);
  const isOtherCurrency = !faulty.includes('currency') && body.get('currency') !== method.currency;
  return isOtherCurrency ? [...faulty, 'currency'] : faulty;
}

/** Fields with their own place in the draft. All others describe the beneficiary. */
const OWN_PLACE: ReadonlySet<string> = new Set(['account', 'amount', 'currency']);

/** Fails with the first fault, in the order of the method's fields. */
export function readDraft(
  body: JsonObject,
  method: PayoutMethod,
  context: FormatContext,
): Result<PayoutDraft, PayoutRejection> {
  const fields: Record<string, string> = {};
  const secretFields: Record<string, Secret> = {};
  for (const field of method.fields) {
    const read = readField(body, field, context);
    if (!read.ok) return read;
    if (read.value === undefined) continue;
    if (field.secret || holdsCardNumber(read.value)) secretFields[field.name] = new Secret(read.value);
    else if (!OWN_PLACE.has(field.name)) fields[field.name] = read.value;
  }
  if (body.get('currency') !== method.currency) return fail({ kind: 'currency_not_supported' });
  return ok({ method: method.number, ...readOwnPlace(body, method), fields, secretFields });
}

/** Returns undefined for an omitted optional field (absent, null or empty). */
function readField(
  body: JsonObject,
  { name, format, mandatory, maxLength }: MethodField,
  context: FormatContext,
): Result<string | undefined, PayoutRejection> {
  const value = body.get(name) ?? '';
  if (typeof value !== 'string') return invalid(name);
  if (value === '') return mandatory ? invalid(name) : ok(undefined);
  if (value.length > maxLength && [...value].length > maxLength) return invalid(name);
  return FORMATS[format](value, context) ? ok(value) : invalid(name);
}

/** Expects a body whose fields passed their formats. */
function readOwnPlace(
  body: JsonObject,
  method: PayoutMethod,
): Pick<PayoutDraft, 'money' | 'amountText' | 'accountShown'> {
  const [account, amountText] = [body.get('account'), body.get('amount')];
  const money = typeof amountText === 'string' ? parseAmount(amountText, method.currency) : undefined;
  invariant(
    money && typeof amountText === 'string' && typeof account === 'string',
    'amount passed validation but cannot be parsed',
  );
  const isCard = method.accountKind === 'card' || holdsCardNumber(account);
  const accountShown = isCard ? maskCard(new Secret(account)) : account;
  return { money, amountText, accountShown };
}

function invalid(field: string): Result<never, PayoutRejection> {
  return fail({ kind: 'invalid_field', field });
}

interface ContentField {
  readonly name: string;
  /** Undefined for a field that the method does not know. */
  readonly field: MethodField | undefined;
}

/**
 * Returns the normalised content of a payout request: the method's known fields without the signature. Two requests with one
 * payout_id are the same request if their contents are equal (decision 22). It works on any readable body: an idempotent repeat
 * gets its response even after the card expired.
 *
 * `method` is undefined for an unknown number. Two contents have the same text only if they are equal.
 */
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

/**
 * Selects the texts of a body that the signature covers. It rejects a field that is missing, is no string, or does
 * not belong to the message, before the gateway computes any signature (decisions, Signatures).
 */
import type { PayoutRefusal } from '../../domain/payouts/payout-refusal.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { nameableField } from '../formats/field-formats.ts';
import { JsonNumber, type JsonObject, type JsonValue } from '../http/json-body.ts';
import type { SignedSet } from '../signatures/signed-set.ts';
import { DEFAULT_SIGNED, payoutMethod } from './method-table.ts';

export interface CoveredFields {
  readonly texts: ReadonlyMap<string, string>;
  readonly set: SignedSet;
}

export type Covered = Result<CoveredFields, PayoutRefusal>;

/** The set of the method. An unknown method uses the set of the card methods. */
export function coverPayout(body: JsonObject): Covered {
  const number = methodNumber(body.get('method'));
  if (number === undefined) return invalid('method');
  return coverFields(body, payoutMethod(number)?.signed ?? DEFAULT_SIGNED);
}

/** The method's number, or undefined if the value is malformed. */
export function methodNumber(value: JsonValue | undefined): number | undefined {
  const text = methodText(value);
  return text !== undefined && /^\d{1,3}$/.test(text) ? Number(text) : undefined;
}

/** Only `method` may be a JSON number. The signature covers its text. */
function methodText(value: JsonValue | undefined): string | undefined {
  if (value instanceof JsonNumber) return value.text;
  return typeof value === 'string' ? value : undefined;
}

/** Null counts as absent, for optional fields and for fields outside the set. */
export function coverFields(body: JsonObject, set: SignedSet): Covered {
  const stranger = set.isClosed ? fieldOutside(body, set) : undefined;
  if (stranger !== undefined) return invalid(nameableField(stranger));
  const texts = new Map<string, string>();
  for (const name of [...set.mandatory, ...set.optional.filter((name) => isThere(body, name))]) {
    const value = body.get(name);
    const text = name === 'method' ? methodText(value) : value;
    if (typeof text !== 'string') return invalid(name);
    texts.set(name, text);
  }
  return ok({ texts, set });
}

/** The first one in the body's order. */
function fieldOutside(body: JsonObject, { mandatory, optional }: SignedSet): string | undefined {
  const known = new Set([...mandatory, ...optional, 'sign']);
  return [...body.keys()].find((name) => !known.has(name) && isThere(body, name));
}

function isThere(body: JsonObject, name: string): boolean {
  return (body.get(name) ?? null) !== null;
}

function invalid(field: string): Result<never, PayoutRefusal> {
  return fail({ kind: 'invalid_field', field });
}

/**
 * Picks the texts that a signature covers out of a body. What can't be signed, since it is missing or no text, is refused
 * by its name before any signature is computed (decisions, Signatures).
 */
import type { PayoutRefusal } from '../../domain/payouts/payout-refusal.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { JsonNumber, type JsonObject, type JsonValue } from '../http/json-body.ts';
import type { SignedFields } from '../signatures/md5-sign.ts';
import { DEFAULT_SIGNED, payoutMethod } from './method-table.ts';

export type Covered = Result<SignedFields, PayoutRefusal>;

/** Every field but `sign`; null counts as absent. */
export function coverAll(body: JsonObject): Covered {
  const names = [...body.keys()].filter((name) => name !== 'sign' && body.get(name) !== null);
  return coverNamed(body, names);
}

/** The method's own set; for a method that does not exist, the set of the card methods. */
export function coverPayout(body: JsonObject): Covered {
  const number = methodNumber(body.get('method'));
  if (number === undefined) return fail({ kind: 'invalid_field', field: 'method' });
  const signed = payoutMethod(number)?.signed ?? DEFAULT_SIGNED;
  return signed === 'all' ? coverAll(body) : coverNamed(body, signed);
}

/** The number that `method` means, or undefined where it is malformed. */
export function methodNumber(value: JsonValue | undefined): number | undefined {
  const text = methodText(value);
  return text !== undefined && /^\d{1,3}$/.test(text) ? Number(text) : undefined;
}

/** `method` is the one field that may be a JSON number; the text of the number is what was signed. */
function methodText(value: JsonValue | undefined): string | undefined {
  if (value instanceof JsonNumber) return value.text;
  return typeof value === 'string' ? value : undefined;
}

function coverNamed(body: JsonObject, names: readonly string[]): Covered {
  const covered = new Map<string, string>();
  for (const name of names) {
    const value = body.get(name);
    const text = name === 'method' ? methodText(value) : value;
    if (typeof text !== 'string') return fail({ kind: 'invalid_field', field: name });
    covered.set(name, text);
  }
  return ok(covered);
}

/**
 * Reads a transaction as DT One writes it, in answers, lists and callbacks alike. New fields may come at any time.
 *
 * Confirmed by DT One's description of its interface: `id`, `external_id`, `creation_date`, `status` with `class`,
 * `requested_values` and `adjusted_values` (what was asked for, and what the operator really gave; either may be null),
 * `benefits`; amounts are numbers. By recorded answers: their shape, in which `requested_values` is missing.
 */
import type { Money } from '../../foundation/money.ts';
import { isOwnReference } from '../kit/own-reference.ts';
import { amountOf, type JsonObject, objectOf, objectsOf, textOf } from '../kit/provider-json.ts';
import type { TransactionStatus } from './vocabulary.ts';

export interface ReadTransaction {
  readonly id: string;
  /** Null where it is none of ours: made by hand, say. */
  readonly reference: string | null;
  readonly status: TransactionStatus;
  /** What was asked for; null where DT One does not say it, undefined where it says something else than an amount in tenge. */
  readonly requested: Money | null | undefined;
  /** What the recipient got, or will get, in tenge; null where DT One does not say so. */
  readonly given: Money | null;
  readonly createdAt: string;
}

/** Undefined: not what DT One's pages show. */
export function readTransaction(fields: JsonObject | undefined): ReadTransaction | undefined {
  const [id, reference] = [textOf(fields, 'id'), textOf(fields, 'external_id')];
  const status = objectOf(fields, 'status');
  const classId = textOf(objectOf(status, 'class'), 'id');
  const createdAt = textOf(fields, 'creation_date');
  if (!/^\d{1,18}$/.test(id) || !/^\d{1,2}$/.test(classId)) return undefined;
  const message = textOf(status, 'message');
  const requested = destinationOf(fields, 'requested_values');
  return {
    id,
    reference: isOwnReference(reference) ? reference : null,
    // What is said is kept and shown, so it may not be just anything.
    status: { classId, message: /^[A-Z][A-Z-]{0,79}$/.test(message) ? message : '' },
    requested,
    given: destinationOf(fields, 'adjusted_values') ?? requested ?? creditOf(fields),
    createdAt,
  };
}

/** The amount that proves an execution: the requested one, or else the one that the recipient got. Null: neither is named. */
export function namedAmount({ requested, given }: ReadTransaction): Money | null {
  return requested ?? given;
}

/** Null: none is named. Undefined: it is no amount in tenge. */
function destinationOf(fields: JsonObject | undefined, name: string): Money | null | undefined {
  const destination = objectOf(objectOf(fields, name), 'destination');
  if (destination === undefined) return null;
  return textOf(destination, 'unit') === 'KZT' ? amountOf(textOf(destination, 'amount'), 'KZT') : undefined;
}

function creditOf(fields: JsonObject | undefined): Money | null {
  const credits = objectsOf(fields, 'benefits')?.find(
    (benefit) => textOf(benefit, 'type') === 'CREDITS' && textOf(benefit, 'unit') === 'KZT',
  );
  return amountOf(textOf(objectOf(credits, 'amount'), 'base'), 'KZT') ?? null;
}

/**
 * Reads a transaction in DT One's responses, lists and callbacks. New fields may appear at any time.
 *
 * Confirmed by DT One's API description: `id`, `external_id`, `creation_date`, `status` with `class`, `requested_values` and
 * `adjusted_values` (the request, and the operator's real amount; either may be null), `benefits`; amounts are numbers.
 * Confirmed by recorded responses: their form, in which `requested_values` is missing.
 */
import type { Money } from '../../foundation/money.ts';
import { isOwnReference } from '../kit/own-reference.ts';
import { amountOf, type JsonObject, objectOf, objectsOf, textOf } from '../kit/provider-json.ts';
import type { TransactionStatus } from './vocabulary.ts';

export interface ReadTransaction {
  readonly id: string;
  /** Null if the transaction is not ours, for example created manually. */
  readonly reference: string | null;
  readonly status: TransactionStatus;
  /** The requested amount. Null if DT One omits it, undefined if it is not an amount in tenge. */
  readonly requested: Money | null | undefined;
  /** The amount in tenge that the recipient got or will get. Null if DT One omits it. */
  readonly given: Money | null;
  readonly createdAt: string;
}

/** Returns undefined if the fields do not match DT One's pages. */
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
    // Accept only a code, because the gateway stores and shows it.
    status: { classId, message: /^[A-Z][A-Z-]{0,79}$/.test(message) ? message : '' },
    requested,
    given: destinationOf(fields, 'adjusted_values') ?? requested ?? creditOf(fields),
    createdAt,
  };
}

/**
 * Returns the amount that proves an execution: the requested amount, or otherwise the recipient's. Null if neither is present.
 */
export function namedAmount({ requested, given }: ReadTransaction): Money | null {
  return requested ?? given;
}

/** Returns null if there is no amount. Undefined if it is not in tenge. */
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

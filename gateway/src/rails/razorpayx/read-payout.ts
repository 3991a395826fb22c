/**
 * Reads a payout in RazorpayX's responses, lists and webhooks, and the lists themselves.
 *
 * Confirmed by RazorpayX's pages: `entity`, `id` (`pout_` and 14 characters), `amount` in whole paise, `currency`,
 * `status`, `status_details` with a `reason` or null, `reference_id` or null, `created_at` in seconds. A list is an
 * object with `entity` `collection`, `count` and `items`. Not confirmed: the form of an empty list; the code expects
 * one without items.
 */
import { type Instant, SECOND_MS } from '../../foundation/clock.ts';
import type { Money } from '../../foundation/money.ts';
import { isOwnReference } from '../kit/own-reference.ts';
import { type JsonObject, objectOf, objectsOf, textOf } from '../kit/provider-json.ts';

/** The name of our note with the order's entire remittance. A note has up to 256 characters. */
export const REMITTANCE_NOTE = 'payout';

export interface ReadPayout {
  readonly id: string;
  /** Null if the payout is not ours, for example one made manually. */
  readonly reference: string | null;
  readonly money: Money;
  readonly status: string;
  /** A code of RazorpayX. Empty if there is none. */
  readonly reason: string;
  readonly createdAt: Instant;
  /** Empty if the payout has no such note. */
  readonly remittance: string;
}

/** Returns undefined if the fields do not match RazorpayX's pages. */
export function readPayout(fields: JsonObject | undefined): ReadPayout | undefined {
  const [id, amount, status] = [textOf(fields, 'id'), textOf(fields, 'amount'), textOf(fields, 'status')];
  const createdAt = textOf(fields, 'created_at');
  const isPayout =
    textOf(fields, 'entity') === 'payout' &&
    /^pout_[A-Za-z0-9]{1,40}$/.test(id) &&
    /^[1-9]\d{0,14}$/.test(amount) &&
    textOf(fields, 'currency') === 'INR' &&
    isWord(status) &&
    /^\d{1,11}$/.test(createdAt);
  if (!isPayout) return undefined;
  const reference = textOf(fields, 'reference_id');
  const reason = textOf(objectOf(fields, 'status_details'), 'reason');
  return {
    id,
    reference: isOwnReference(reference) ? reference : null,
    money: { currency: 'INR', minor: BigInt(amount) },
    status,
    reason: isWord(reason) ? reason : '',
    createdAt: Number(createdAt) * SECOND_MS,
    remittance: textOf(objectOf(fields, 'notes'), REMITTANCE_NOTE),
  };
}

/** Returns true for the form of RazorpayX's codes. Nothing else is accepted, because the gateway keeps and shows it. */
function isWord(text: string): boolean {
  return /^[a-z][a-z_]{0,63}$/.test(text);
}

/** Returns undefined if the response is not a list. */
export function readItems(fields: JsonObject | undefined): readonly (JsonObject | undefined)[] | undefined {
  return textOf(fields, 'entity') === 'collection' ? objectsOf(fields, 'items') : undefined;
}

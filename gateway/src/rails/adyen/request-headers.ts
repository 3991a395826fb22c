/** Who we say we are to Adyen, and which request is the same as an earlier one. Payments and refunds share it. */
import { invariant } from '../../foundation/invariant.ts';
import type { Secret } from '../../foundation/secret.ts';

const LONGEST_KEY = 64;

/** `idempotencyKey`: under it Adyen carries a request out once and answers every repetition as it did the first. */
export function requestHeaders(apiKey: Secret, idempotencyKey: string): Readonly<Record<string, string>> {
  invariant(idempotencyKey !== '' && idempotencyKey.length <= LONGEST_KEY, 'a key of 1 to 64 characters');
  return {
    'content-type': 'application/json',
    'x-api-key': apiKey.reveal(),
    'idempotency-key': idempotencyKey,
  };
}

/** Who we say we are to Adyen, and which request is the same as an earlier one. Payments and payouts share it. */
import type { Secret } from '../../foundation/secret.ts';

const LONGEST_KEY = 64;

/** `idempotencyKey`: under it Adyen carries a request out once and answers every repetition as it did the first. */
export function requestHeaders(apiKey: Secret, idempotencyKey: string): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/json',
    'x-api-key': apiKey.reveal(),
    'idempotency-key': idempotencyKey.slice(0, LONGEST_KEY),
  };
}

/** The headers that identify us and the request to Adyen. Payments and refunds share them. */
import { invariant } from '../../foundation/invariant.ts';
import type { Secret } from '../../foundation/secret.ts';

const LONGEST_KEY = 64;

/** Adyen executes requests with the same `idempotencyKey` once, and repeats the first answer. */
export function requestHeaders(apiKey: Secret, idempotencyKey: string): Readonly<Record<string, string>> {
  invariant(idempotencyKey !== '' && idempotencyKey.length <= LONGEST_KEY, 'a key of 1 to 64 characters');
  return {
    'content-type': 'application/json',
    'x-api-key': apiKey.reveal(),
    'idempotency-key': idempotencyKey,
  };
}

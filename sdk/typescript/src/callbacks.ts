/** Verifies callbacks and events over the received bytes, before they are parsed. */
import { createHmac } from 'node:crypto';
import { InvalidSignature } from './errors.ts';
import { type Fields, isEqual } from './signatures.ts';

export interface ReceivedCallback {
  /** The raw body, or for a GET the query without its question mark. */
  readonly body: string | Uint8Array;
  /** The headers as Node, Fetch, Express, Fastify or Next provide them. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
}

export type Callback =
  | { readonly kind: 'payout'; readonly id: string; readonly fields: PayoutFields }
  | { readonly kind: 'deposit'; readonly id: string; readonly fields: DepositFields }
  | { readonly kind: 'event'; readonly id: string; readonly fields: EventFields };

/**
 * The `id` of a callback is the same at each delivery: a known id is a duplicate. Compare amount and currency with your books.
 */
export interface PayoutFields {
  readonly merchant: string;
  readonly payout_id: string;
  readonly status: 'Success' | 'Blocked';
  readonly code: string;
  readonly description: string;
  readonly amount: string;
  readonly currency: string;
}

export interface DepositFields {
  readonly co_inv_id: string;
  readonly co_inv_st: 'success' | 'fail';
  readonly co_order_no: string;
  /** The received amount. Deliver only what it pays for. */
  readonly co_amount: string;
  readonly co_cur: string;
  readonly co_base_amount: string;
  readonly co_base_currency: string;
  readonly co_to_wlt: string;
}

/** Ignore unknown types, and return `OK`. */
export interface EventFields {
  readonly type: string;
  readonly amount: string;
  readonly currency: string;
  readonly [field: string]: string;
}

export interface VerifyOptions {
  readonly apiKey: string;
  /** The maximum age of a delivery, in seconds, and how far it may lie in the future. Defaults to 300. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Return HTTP 200 and the body `OK` once the result is in your books. Return 400 if this throws InvalidSignature. */
export function verifyCallback(received: ReceivedCallback, options: VerifyOptions): Callback {
  const { apiKey, toleranceSeconds = 300, now = Date.now } = options;
  // Anyone can sign with an empty key.
  if (!apiKey) throw new TypeError('verifyCallback needs the API key');
  if (typeof received.body !== 'string' && !(received.body instanceof Uint8Array))
    throw new TypeError('verifyCallback needs the bytes as received, before a framework parses them');
  const body = Buffer.from(received.body);
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(received.headers, name),
  );
  if (!id || !timestamp || !signatures) throw new InvalidSignature('a webhook header is missing');
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now() / 1_000 - Number(timestamp)) > toleranceSeconds)
    throw new InvalidSignature('the delivery is too old, or your clock is inaccurate');
  const expected = createHmac('sha256', apiKey).update(`${id}.${timestamp}.`).update(body).digest('base64');
  if (!signatures.split(' ').some((each) => isEqual(each, `v1,${expected}`)))
    throw new InvalidSignature('the signature is invalid: another key, or the bytes were changed after they arrived');
  return { id, ...contentOf(body.toString('utf8')) } as Callback;
}

function contentOf(text: string): { readonly kind: Callback['kind']; readonly fields: Fields } {
  const { sign, co_sign, ...fields } = (
    text.startsWith('{') ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text))
  ) as Record<string, string>;
  if (fields['type'] !== undefined) return { kind: 'event', fields };
  return { kind: fields['co_inv_id'] === undefined ? 'payout' : 'deposit', fields };
}

function headerOf(headers: ReceivedCallback['headers'], name: string): string | undefined {
  const isFetch = (given: object): given is Headers => 'get' in given && typeof given.get === 'function';
  const value = isFetch(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.[0];
}

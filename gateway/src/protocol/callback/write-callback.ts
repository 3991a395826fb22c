/**
 * A callback as bytes: body, `sign`, `X-Sign` and the Standard Webhooks headers (decisions, Callbacks: headers). Signs
 * anew for every attempt, since the timestamp is part of what is signed. Sends nothing.
 */
import { createHmac } from 'node:crypto';
import type { Callback, CallbackPayload } from '../../domain/callbacks/callback.ts';
import type { MerchantKey, MerchantWithKeys } from '../../domain/merchants/merchant.ts';
import { callbackKey } from '../../domain/merchants/merchant.ts';
import type { Instant } from '../../foundation/clock.ts';
import { invariant } from '../../foundation/invariant.ts';
import { md5Sign } from '../signatures/md5-sign.ts';
import { xSign } from '../signatures/x-sign.ts';

const USER_AGENT = 'payment-gateway-callbacks/1';

export interface CallbackRequest {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** `at`: the time of this attempt. The recipient has at least one valid key. */
export function writeCallback(callback: Callback, { merchant, keys }: MerchantWithKeys, at: Instant): CallbackRequest {
  const key = callbackKey(keys);
  invariant(key, 'a merchant has no valid key');
  // Only the interface's own callbacks carry a `sign` field; an event's body is covered by the headers.
  const isEvent = callback.subject === 'event';
  const fields = isEvent ? callback.payload : { ...callback.payload, sign: md5Sign(callback.payload, key.secret) };
  const format = isEvent ? 'json' : merchant.settings.callback_format;
  const { contentType, write } = FORMATS[format];
  const body = Buffer.from(write(fields), 'utf8');
  const timestamp = Math.floor(at / 1_000).toString();
  return {
    body,
    headers: {
      'content-type': contentType,
      accept: 'text/plain, */*;q=0.1',
      'accept-encoding': 'identity',
      'user-agent': USER_AGENT,
      'x-sign': xSign(body, key.secret),
      'webhook-id': callback.callbackId,
      'webhook-timestamp': timestamp,
      'webhook-signature': webhookSignatures(callback.callbackId, timestamp, body, keys),
    },
  };
}

const FORMATS = {
  form: {
    contentType: 'application/x-www-form-urlencoded',
    write: (fields: CallbackPayload) => new URLSearchParams(fields).toString(),
  },
  json: { contentType: 'application/json', write: (fields: CallbackPayload) => JSON.stringify(fields) },
} as const;

/** One signature per valid key, so that a receiver verifies with either during a rotation. */
function webhookSignatures(id: string, timestamp: string, body: Buffer, keys: readonly MerchantKey[]): string {
  return keys
    .map(({ secret }) => createHmac('sha256', secret.reveal()).update(`${id}.${timestamp}.`).update(body))
    .map((hmac) => `v1,${hmac.digest('base64')}`)
    .join(' ');
}

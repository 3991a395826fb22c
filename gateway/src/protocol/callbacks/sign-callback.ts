/**
 * A callback as bytes: method, path, body, signature field, `X-Sign` and the Standard Webhooks headers (decision 41). Each
 * attempt is signed separately, because the signature covers the timestamp. This module must not send anything.
 */
import { createHmac } from 'node:crypto';
import type { Callback, CallbackPayload, CallbackSubject, SentCallback } from '../../domain/callbacks/callback.ts';
import { callbackKey, type MerchantKey, type MerchantWithKeys } from '../../domain/merchants/merchant.ts';
import type { Instant } from '../../foundation/clock.ts';
import { invariant } from '../../foundation/invariant.ts';
import { md5Sign, xSign } from '../signatures/merchant-signature.ts';

const USER_AGENT = 'payment-gateway-callbacks/1';

export interface CallbackRequest {
  readonly method: 'POST' | 'GET';
  /** The path and the query, as sent. */
  readonly path: string;
  /** Null for a GET, whose fields are in the query. */
  readonly body: Buffer | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns an attempt at `at` to the recipient's URL, and what it was signed with. The recipient must have a valid API key. */
export function signCallback(
  callback: Callback,
  { merchant: { settings }, keys }: MerchantWithKeys,
  target: URL,
  at: Instant,
): { readonly request: CallbackRequest; readonly sent: SentCallback } {
  const key = callbackKey(keys);
  invariant(key, 'merchant has no valid key');
  const { subject, payload, callbackId } = callback;
  const isQuery = subject === 'deposit' && settings.callback_method === 'get';
  const ofBody = subject === 'event' ? 'json' : settings.callback_format;
  const plan = {
    address: target.href,
    format: isQuery ? 'query' : ofBody,
    sign: SIGNATURE_FIELDS[subject] === null ? null : md5Sign(payload, key.secret),
  } as const;
  const content = writeContent(callback, plan, target);
  const signed = content.body ?? Buffer.from(content.query, 'utf8');
  const timestamp = Math.floor(at / 1_000).toString();
  const sent = {
    ...plan,
    xSign: xSign(signed, key.secret),
    timestamp,
    webhookSignature: webhookSignatures(callbackId, timestamp, signed, keys.api),
  };
  return { request: requestOf(callbackId, content, sent, target), sent };
}

/** The exact bytes of an attempt, from the callback's fields and the stored parts of the attempt. */
export function rewriteCallback(
  callback: Pick<Callback, 'callbackId' | 'subject' | 'payload'>,
  sent: SentCallback,
): CallbackRequest {
  const target = new URL(sent.address);
  return requestOf(callback.callbackId, writeContent(callback, sent, target), sent, target);
}

function requestOf(callbackId: string, content: Content, sent: SentCallback, { pathname }: URL): CallbackRequest {
  return {
    method: content.body === null ? 'GET' : 'POST',
    path: content.query === '' ? pathname : `${pathname}?${content.query}`,
    body: content.body,
    headers: {
      ...(content.contentType === null ? {} : { 'content-type': content.contentType }),
      accept: 'text/plain, */*;q=0.1',
      'accept-encoding': 'identity',
      'user-agent': USER_AGENT,
      'x-sign': sent.xSign,
      'webhook-id': callbackId,
      'webhook-timestamp': sent.timestamp,
      'webhook-signature': sent.webhookSignature,
    },
  };
}

/** The signature field of each subject. Events have no such field, because the headers sign them. */
const SIGNATURE_FIELDS: Readonly<Record<CallbackSubject, string | null>> = {
  payout: 'sign',
  deposit: 'co_sign',
  event: null,
};

interface Content {
  /** The query without its question mark. The target's own query comes first. */
  readonly query: string;
  readonly body: Buffer | null;
  readonly contentType: string | null;
}

function writeContent(
  { subject, payload }: Pick<Callback, 'subject' | 'payload'>,
  { format, sign }: Pick<SentCallback, 'format' | 'sign'>,
  { search }: URL,
): Content {
  const signatureField = SIGNATURE_FIELDS[subject];
  const fields = signatureField === null || sign === null ? payload : { ...payload, [signatureField]: sign };
  const ownQuery = search.slice(1);
  if (format === 'query') {
    const query = [ownQuery, FORMATS.form.write(fields)].filter((part) => part !== '').join('&');
    return { query, body: null, contentType: null };
  }
  const { contentType, write } = FORMATS[format];
  return { query: ownQuery, body: Buffer.from(write(fields), 'utf8'), contentType };
}

const FORMATS = {
  form: {
    contentType: 'application/x-www-form-urlencoded',
    write: (fields: CallbackPayload) => new URLSearchParams(fields).toString(),
  },
  json: { contentType: 'application/json', write: (fields: CallbackPayload) => JSON.stringify(fields) },
} as const;

/** Returns one signature per valid API key, so that a receiver can verify with either key during a rotation. */
function webhookSignatures(id: string, timestamp: string, signed: Buffer, keys: readonly MerchantKey[]): string {
  return keys
    .map(({ secret }) => createHmac('sha256', secret.reveal()).update(`${id}.${timestamp}.`).update(signed))
    .map((hmac) => `v1,${hmac.digest('base64')}`)
    .join(' ');
}

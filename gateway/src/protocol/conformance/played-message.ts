/** Callbacks as the gateway writes them, and their forgeries. */
import type { CallbackPayload } from '../../domain/callbacks/callback.ts';
import { exampleMessage, type Trigger } from '../../domain/callbacks/example-payload.ts';
import type { ConformanceRequest, SignedDelivery } from '../../domain/conformance/conformance.ts';
import { keysByPurpose, type MerchantKey } from '../../domain/merchants/merchant.ts';
import { readMerchantSettings } from '../../domain/merchants/merchant-settings.ts';
import type { Instant } from '../../foundation/clock.ts';
import { invariant } from '../../foundation/invariant.ts';
import { Secret } from '../../foundation/secret.ts';
import { type CallbackRequest, signCallback } from '../callbacks/sign-callback.ts';

export interface PlayedMessage {
  readonly id: string;
  readonly target: URL;
  readonly request: CallbackRequest & { readonly body: Buffer };
}

interface Variation {
  readonly fields?: CallbackPayload;
  /** Defaults to the merchant's key. */
  readonly keys?: readonly Secret[];
  readonly at?: Instant;
}

/** The messages of one run. `ids` makes a fresh id for each. */
export interface MessageWriter {
  readonly newId: () => string;
  payout(id: string, variation?: Variation): PlayedMessage;
  deposit(id: string, variation?: Variation): PlayedMessage;
  /** Writes an event, for a receiver with an address for events. */
  event(id: string, variation?: Variation): PlayedMessage;
}

/** Returns a message as the gateway sends it. `keys` are the valid ones, newest first; the oldest one that is unused signs. */
export function writeMessage(
  delivery: Omit<SignedDelivery, 'key'>,
  keys: readonly Secret[],
  at: Instant,
): PlayedMessage {
  const { merchantId, target, id, callbackId, subject, payload } = delivery;
  const settings = readMerchantSettings({ callback_format: delivery.format });
  invariant(settings.ok, 'callback format is not a valid setting');
  const merchant = {
    merchantId,
    name: merchantId,
    state: 'test' as const,
    createdAt: 0,
    settings: settings.value,
    siteUrl: null,
    processUrl: null,
    successUrl: null,
    failUrl: null,
    payoutCallbackUrl: null,
    eventUrl: null,
  };
  const callback = {
    merchantId,
    subject,
    subjectId: id,
    callbackId,
    payload,
    state: 'due' as const,
    createdAt: at,
    attempts: 0,
    scheduleStart: 0,
    firstAttemptAt: null,
    dueAt: at,
    finishedAt: null,
  };
  const { request } = signCallback(callback, { merchant, keys: keysByPurpose(keys.map(keyOf)) }, target, at);
  const { body } = request;
  invariant(body, 'conformance callback has no body');
  return { id, target, request: { ...request, body } };
}

export function createMessageWriter(asked: ConformanceRequest, run: string, now: () => Instant): MessageWriter {
  const { merchantId, format } = asked;
  const write = (
    trigger: Trigger,
    id: string,
    target: URL,
    { fields = {}, keys = [asked.key], at = now() }: Variation,
  ) => {
    const { subject, payload } = exampleMessage(trigger, merchantId, id, now());
    const message = { subject, id, callbackId: `${subject}_${id}`, payload: { ...payload, ...fields } };
    return writeMessage({ target, merchantId, format, ...message }, keys, at);
  };
  let count = 0;
  return {
    newId: () => `cf-${run}-${++count}`,
    payout: (id, variation = {}) => write('payout.success', id, asked.url, variation),
    deposit: (id, variation = {}) => write('deposit.success', id, asked.url, variation),
    event: (id, variation = {}) => write('payout.reversed', id, asked.eventUrl ?? asked.url, variation),
  };
}

/** No request has used it yet, so the older key signs while both are valid. */
function keyOf(secret: Secret): MerchantKey {
  return { keyId: '', purpose: 'api', secret, createdAt: 0, retiresAt: null, firstUsedAt: null, lastUsedAt: null };
}

/** A key that signs nothing else. */
export const STRANGERS_KEY = new Secret('the-key-of-a-stranger');

/** Returns the same headers with other fields: the signatures still cover the original. */
export function withFields(
  message: PlayedMessage,
  change: (fields: Readonly<Record<string, string>>) => Readonly<Record<string, string>>,
): PlayedMessage {
  const { request } = message;
  const text = request.body.toString('utf8');
  const isJson = request.headers['content-type'] === 'application/json';
  const fields = change(isJson ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text)));
  const written = isJson ? JSON.stringify(fields) : new URLSearchParams(fields).toString();
  return withBody(message, Buffer.from(written));
}

export function withBody(message: PlayedMessage, body: Buffer): PlayedMessage {
  return { ...message, request: { ...message.request, body } };
}

export function withHeaders(message: PlayedMessage, change: Readonly<Record<string, string>>): PlayedMessage {
  return { ...message, request: { ...message.request, headers: { ...message.request.headers, ...change } } };
}

/** Changes each of its signatures in the same way. */
export function withSignatures(message: PlayedMessage, change: (signature: string) => string): PlayedMessage {
  const altered = withFields(message, (fields) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, text]) => [name, /^(?:co_)?sign$/.test(name) ? change(text) : text]),
    ),
  );
  const { 'x-sign': xSign = '', 'webhook-signature': webhook = '' } = message.request.headers;
  return withHeaders(altered, { 'x-sign': change(xSign), 'webhook-signature': `v1,${change(webhook.slice(3))}` });
}

export function withoutSignatures(message: PlayedMessage): PlayedMessage {
  const bare = withFields(message, ({ sign: _sign, co_sign: _coSign, ...fields }) => fields);
  const names = ['x-sign', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const headers = Object.entries(message.request.headers).filter(([name]) => !names.includes(name));
  return { ...bare, request: { ...bare.request, headers: Object.fromEntries(headers) } };
}

/** Returns every text by which the receiver could recognise this very message as genuine. */
export function signaturesOf({ request }: PlayedMessage): readonly string[] {
  const found: string[] = [];
  withSignatures({ id: '', target: new URL('http://x/'), request }, (signature) => {
    found.push(signature);
    return signature;
  });
  return found;
}

/**
 * For tests only: Adyen on a free port, with a client's inbox and a clock that the test controls. It has one function per
 * request of a client, a payer's browser or an operator.
 */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type Answer, answerOf, type Inbox, openInbox, patience } from '../kernel/inbox-under-test.ts';
import { type Control, closesWith, controlAt } from '../kernel/simulator-under-test.ts';
import { ManualClock } from '../manual-clock.ts';
import { type AdyenOptions, startAdyen } from './server.ts';

const SECRET = 'a secret of the test';
const MERCHANT_ACCOUNT = 'TestECOM';
const API_KEY = 'an api key';
export const HMAC_KEY = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056';
export const RETURN_URL = 'https://shop.example/return?attempt=1';

export interface AdyenUnderTest {
  readonly url: string;
  readonly clock: ManualClock;
  readonly inbox: Inbox;
  close(): Promise<void>;
  readonly control: Control;
  /** Sends a POST to the API. `headers` are added to the valid ones. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Sends a payment of 10.00 EUR. The arguments override fields. */
  pay(fields?: Record<string, unknown>, headers?: Record<string, string>): Promise<Answer>;
  summary(): Promise<Readonly<Record<string, unknown>>>;
}

export interface TestOptions extends Partial<Omit<AdyenOptions, 'clock'>> {
  readonly clock?: ManualClock;
  readonly inbox?: Inbox;
}

/** Starts Adyen in memory with its control surface and an accepting client. It closes with the test. */
export async function startAdyenUnderTest(t: TestContext, options: TestOptions = {}): Promise<AdyenUnderTest> {
  const { clock = new ManualClock(), inbox = await openInbox(t), ...rest } = options;
  const own = {
    host: '127.0.0.1',
    port: 0,
    secret: SECRET,
    merchantAccount: MERCHANT_ACCOUNT,
    apiKey: API_KEY,
    hmacKey: HMAC_KEY,
    control: true,
  };
  const adyen = await startAdyen({ ...own, webhookUrl: inbox.url, clock, log: () => {}, ...rest });
  const close = closesWith(t, adyen);
  const post: AdyenUnderTest['post'] = (path, body, headers = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const all = { 'x-api-key': API_KEY, 'content-type': 'application/json', ...headers };
    return answerOf(fetch(`${adyen.url}/v72${path}`, { method: 'POST', body: text, headers: all, signal: patience() }));
  };
  const control = controlAt(adyen.url, SECRET);
  return {
    url: adyen.url,
    clock,
    inbox,
    close,
    control,
    post,
    pay: (fields = {}, headers = {}) => post('/payments', payment(fields), headers),
    summary: async () => (await control('summary')).body,
  };
}

export const BROWSER_INFO = {
  acceptHeader: 'text/html',
  colorDepth: 24,
  javaEnabled: false,
  language: 'en',
  screenHeight: 844,
  screenWidth: 390,
  timeZoneOffset: 0,
  userAgent: 'Mozilla/5.0',
};

export function card(number: string, change: Record<string, unknown> = {}): Record<string, unknown> {
  return { type: 'scheme', number, cvc: '737', expiryMonth: '03', expiryYear: '2030', holderName: 'J', ...change };
}

export function payment(change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    merchantAccount: MERCHANT_ACCOUNT,
    reference: 'order-1',
    amount: { currency: 'EUR', value: 1_000 },
    captureDelayHours: 0,
    returnUrl: RETURN_URL,
    paymentMethod: card('4111111111111111'),
    authenticationData: { threeDSRequestData: { nativeThreeDS: 'preferred' } },
    browserInfo: BROWSER_INFO,
    ...change,
  };
}

/** Decodes a token or a 3-D Secure result. */
export function unpacked(text: unknown): Record<string, string> {
  return JSON.parse(Buffer.from(String(text), 'base64url').toString());
}

export interface Page {
  readonly status: number;
  readonly location: string | null;
  readonly html: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Sends a GET or, with a form, a POST, as the payer's browser would. */
export async function browse(url: string, form?: Readonly<Record<string, string>>): Promise<Page> {
  const call = form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) };
  const response = await fetch(url, { ...call, redirect: 'manual' });
  const html = await response.text();
  const fields = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return {
    status: response.status,
    location: response.headers.get('location'),
    html,
    fields: Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value])),
  };
}

/** Returns the action that a response requests. */
export function actionOf({ body }: Answer): Record<string, string> {
  assert.ok(body['action'], JSON.stringify(body));
  return body['action'] as Record<string, string>;
}

/** Returns the item of a webhook. */
export function itemOf(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const [item] = body['notificationItems'] as { NotificationRequestItem: Record<string, unknown> }[];
  return item?.NotificationRequestItem ?? {};
}

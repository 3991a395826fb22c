/**
 * For tests only: Trustly on a free port, with a client's inbox and a clock that the test controls. It has one function per
 * request of a client, a payer or an operator. The signatures follow Trustly's documentation and share no code with the
 * verification.
 */
import { createSign, createVerify, generateKeyPairSync } from 'node:crypto';
import type { TestContext } from 'node:test';
import { type Answer, answerOf, type Inbox, openInbox, patience } from '../kernel/inbox-under-test.ts';
import { type Control, closesWith, controlAt } from '../kernel/simulator-under-test.ts';
import { ManualClock } from '../manual-clock.ts';
import { startTrustly, type TrustlyOptions } from './server.ts';

const SECRET = 'a secret of the test';
export const USERNAME = 'shop';
export const PASSWORD = 'its password';

const CLIENT = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PROVIDER = generateKeyPairSync('rsa', { modulusLength: 2048 });

type Fields = Record<string, unknown>;

/** Joins the keys in byte order, each followed by its value, or by nothing for null. */
function serialised(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(serialised).join('');
  if (typeof value !== 'object') return String(value);
  const fields = value as Fields;
  return Object.keys(fields)
    .sort()
    .map((key) => key + serialised(fields[key]))
    .join('');
}

export function signed(method: string, uuid: string, data: unknown, hash: 'RS256' | 'SHA1' = 'RS256'): string {
  const [algorithm, prefix] = hash === 'RS256' ? ['RSA-SHA256', 'alg=RS256;'] : ['RSA-SHA1', ''];
  return (
    prefix +
    createSign(algorithm)
      .update(`${method}${uuid}${serialised(data)}`)
      .sign(CLIENT.privateKey, 'base64')
  );
}

export function isTrustlys(method: string, uuid: string, data: unknown, signature: unknown): boolean {
  const [prefix = '', base64] = /^(alg=RS256;)?(.+)$/.exec(String(signature))?.slice(1) ?? [];
  const verifier = createVerify(prefix === '' ? 'RSA-SHA1' : 'RSA-SHA256');
  return verifier.update(`${method}${uuid}${serialised(data)}`).verify(PROVIDER.publicKey, base64 ?? '', 'base64');
}

export interface TrustlyUnderTest {
  readonly url: string;
  readonly clock: ManualClock;
  readonly inbox: Inbox;
  readonly log: string[];
  close(): Promise<void>;
  readonly control: Control;
  /** `change` overrides parts of the call, including its signature. */
  call(method: string, data: Fields, change?: Fields): Promise<Answer>;
  /** Opens an order of 12.34. The argument overrides fields of the data or, under `attributes`, of the attributes. */
  deposit(fields?: Fields, change?: Fields): Promise<Answer>;
  summary(): Promise<Readonly<Record<string, unknown>>>;
  /** Returns the received methods and amounts in order of arrival. */
  notified(): string[];
}

/** Starts Trustly in memory with its control surface and a client that acknowledges everything. It closes with the test. */
export async function startTrustlyUnderTest(
  t: TestContext,
  options: Partial<Omit<TrustlyOptions, 'clock'>> & { readonly clock?: ManualClock; readonly inbox?: Inbox } = {},
): Promise<TrustlyUnderTest> {
  const { clock = new ManualClock(), inbox = await acknowledgingInbox(t), ...rest } = options;
  const log: string[] = [];
  const own = { host: '127.0.0.1', port: 0, secret: SECRET, username: USERNAME, password: PASSWORD, control: true };
  const keys = { findPublicKey: () => CLIENT.publicKey, privateKey: PROVIDER.privateKey };
  const trustly = await startTrustly({ ...own, ...keys, clock, log: (line) => void log.push(line), ...rest });
  const close = closesWith(t, trustly);
  const control = controlAt(trustly.url, SECRET);
  const call = (method: string, data: Fields, change: Fields = {}) => {
    const uuid = typeof change['UUID'] === 'string' ? change['UUID'] : newUuid();
    const params = { Signature: signed(method, uuid, data), UUID: uuid, Data: data, ...change };
    const body = JSON.stringify({ method, params, version: '1.1' });
    return answerOf(fetch(`${trustly.url}/api/1`, { method: 'POST', body, signal: patience() }));
  };
  return {
    url: trustly.url,
    clock,
    inbox,
    log,
    close,
    control,
    call,
    deposit: (fields = {}, change = {}) => call('Deposit', depositData(inbox.url, fields), change),
    summary: async () => (await control('summary')).body,
    notified: () => inbox.received.map(({ body }) => lineOf(body)),
  };
}

function lineOf(message: Readonly<Record<string, unknown>>): string {
  const { data } = message['params'] as { data: Fields };
  return `${message['method']} ${data['amount'] ?? ''}`.trim();
}

let uuids = 0;

/** Returns a new UUID at each call. */
export function newUuid(): string {
  uuids += 1;
  return `258a2184-2842-b485-25ca-${String(uuids).padStart(12, '0')}`;
}

let messages = 0;

export function depositData(notificationUrl: string, { attributes, ...fields }: Fields = {}): Fields {
  messages += 1;
  return {
    Username: USERNAME,
    Password: PASSWORD,
    NotificationURL: notificationUrl,
    EndUserID: 'payer-1',
    MessageID: `message-${messages}`,
    Attributes: {
      Country: 'FI',
      Locale: 'en_GB',
      Currency: 'EUR',
      Amount: '12.34',
      Firstname: 'Aino',
      Lastname: 'Öberg',
      Email: 'aino@example.com',
      ShopperStatement: 'Shop',
      SuccessURL: 'https://shop.example/back?how=success',
      FailURL: 'https://shop.example/back?how=fail',
      URLTarget: '_top',
      ...(attributes as Fields | undefined),
    },
    ...fields,
  };
}

/** Reads the response to a Deposit. */
export function opened(answer: Answer): { readonly orderid: string; readonly url: string } {
  return (answer.body['result'] as { data: { orderid: string; url: string } }).data;
}

export function errorOf({ body }: Answer): unknown {
  return (body['error'] as { code: number } | undefined)?.code;
}

export async function acknowledgingInbox(t: TestContext): Promise<Inbox> {
  const inbox = await openInbox(t);
  inbox.answer = ({ body }) => ({ status: 200, body: acknowledgement(body) });
  return inbox;
}

export function acknowledgement(message: Readonly<Record<string, unknown>>, status = 'OK'): string {
  const method = String(message['method']);
  const { uuid } = message['params'] as { uuid: string };
  const data = { status };
  return JSON.stringify({ result: { signature: signed(method, uuid, data), uuid, method, data }, version: '1.1' });
}

/**
 * For tests only: Token.io on a free port, with a client's inbox and a clock that the test controls. It has one function per
 * request of a client, a payer or an operator. The signatures follow Token.io's documentation and share no code with the
 * verification.
 */
import { generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, answerOf, type Inbox, openInbox, patience, type Received } from '../kernel/inbox-under-test.ts';
import { type Control, closesWith, controlAt } from '../kernel/simulator-under-test.ts';
import { ManualClock } from '../manual-clock.ts';
import { startTokenIo, type TokenIoOptions } from './server.ts';

const SECRET = 'a secret of the test';
export const MEMBER_ID = 'm:shop:5zKtXEAq';
const KEY_ID = 'shop-key';
export const ACCOUNT = { id: 'pa:shop:2gFUX1NEGTG', iban: 'NL91ABNA0417164300', name: 'Unique Shop Ltd' };

const CLIENT = generateKeyPairSync('ed25519');
const PROVIDER = generateKeyPairSync('ed25519');

type Fields = Readonly<Record<string, unknown>>;

/** Parts of a request that a client may get wrong. */
export interface Slip {
  readonly claims?: Fields;
  readonly key?: KeyObject;
  /** A body that is signed instead of the sent one. */
  readonly body?: string;
  readonly authorization?: string;
}

export interface TokenIoUnderTest {
  readonly url: string;
  readonly clock: ManualClock;
  readonly inbox: Inbox;
  readonly log: string[];
  close(): Promise<void>;
  readonly control: Control;
  call(verb: string, address: string, body?: unknown, slip?: Slip): Promise<Answer>;
  /** Initiates a payment of 12.34. The argument overrides fields of its initiation. */
  pay(change?: Fields): Promise<Answer>;
  /** Initiates a payment and returns Token.io's view of it. */
  paymentOf(change?: Fields): Promise<Shown>;
  show(id: string): Promise<Shown>;
  /** Advances the clock in small steps, so that subsequent events happen too. */
  pass(milliseconds: number): Promise<void>;
  summary(): Promise<Fields>;
  /** Returns the received statuses and events in order of arrival. */
  notified(): string[];
}

export interface Shown {
  readonly id: string;
  readonly status: string;
  readonly authentication?: { readonly redirectUrl: string };
  readonly [name: string]: unknown;
}

/** Starts Token.io in memory with its control surface and an accepting client. It closes with the test. */
export async function startTokenIoUnderTest(
  t: TestContext,
  options: Partial<Omit<TokenIoOptions, 'clock'>> & { readonly clock?: ManualClock; readonly inbox?: Inbox } = {},
): Promise<TokenIoUnderTest> {
  const { clock = new ManualClock(), inbox = await openInbox(t), ...rest } = options;
  const log: string[] = [];
  const own = {
    host: '127.0.0.1',
    port: 0,
    secret: SECRET,
    memberId: MEMBER_ID,
    keyId: KEY_ID,
    account: ACCOUNT,
    control: true,
  };
  const keys = { findPublicKey: () => CLIENT.publicKey, privateKey: PROVIDER.privateKey };
  const line = (text: string) => void log.push(text);
  const tokenIo = await startTokenIo({ ...own, ...keys, clock, webhookUrl: inbox.url, log: line, ...rest });
  const close = closesWith(t, tokenIo);
  const control = controlAt(tokenIo.url, SECRET);
  const call = (verb: string, address: string, body?: unknown, slip: Slip = {}) => {
    const url = new URL(address, tokenIo.url);
    const text = body === undefined ? '' : JSON.stringify(body);
    const authorization = slip.authorization ?? authorize(verb, url, slip.body ?? text, clock.now(), slip);
    const sent = text === '' ? {} : { body: text };
    return answerOf(fetch(url, { method: verb, headers: { authorization }, signal: patience(), ...sent }));
  };
  const pay = (change: Fields = {}) => call('POST', '/v2/payments', { initiation: initiation(change) });
  const show = async (id: string) => paymentIn(await call('GET', `/v2/payments/${id}`));
  return {
    url: tokenIo.url,
    clock,
    inbox,
    log,
    close,
    control,
    call,
    pay,
    paymentOf: async (change = {}) => paymentIn(await pay(change)),
    show,
    async pass(milliseconds) {
      for (let passed = 0; passed < milliseconds; passed += 500) {
        clock.advance(500);
        await sleep(2);
      }
    },
    summary: async () => (await control('summary')).body,
    notified: () => inbox.received.map(lineOf),
  };
}

function authorize(method: string, url: URL, body: string, now: number, { claims = {}, key }: Slip): string {
  const query = url.search.slice(1);
  const own = { alg: 'EdDSA', typ: 'JWT', kid: KEY_ID, mid: MEMBER_ID, host: url.host, method, path: url.pathname };
  const header = { ...own, ...(query === '' ? {} : { query }), exp: now + 60_000, ...claims };
  const encoded = Buffer.from(JSON.stringify(header)).toString('base64url');
  const signed = `${encoded}.${Buffer.from(body).toString('base64url')}`;
  return `Bearer ${encoded}..${sign(null, Buffer.from(signed), key ?? CLIENT.privateKey).toString('base64url')}`;
}

function lineOf({ headers, body }: Received): string {
  const payment = body['payment'] as Shown | undefined;
  const refund = body['refundStatusChanged'] as Shown | undefined;
  return payment?.status ?? (refund ? `refund ${refund.status}` : String(headers['token-event']));
}

/** True if Token.io signed the message. */
export function isTokenIos({ raw, headers }: Received): boolean {
  const signature = Buffer.from(String(headers['token-signature']), 'base64url');
  return verify(null, Buffer.from(raw), PROVIDER.publicKey, signature);
}

let references = 0;

export function initiation(change: Fields = {}): Fields {
  references += 1;
  const reference = `${references}-AbCd1234`;
  return {
    bankId: 'nordlys',
    refId: reference,
    remittanceInformationPrimary: reference,
    remittanceInformationSecondary: 'Unique Shop Ltd',
    amount: { value: '12.34', currency: 'EUR' },
    localInstrument: 'SEPA_INSTANT',
    creditor: { virtualAccountId: ACCOUNT.id, name: ACCOUNT.name },
    callbackUrl: 'https://shop.example/back?attempt=secret',
    callbackState: 'state-of-the-test',
    flowType: 'EMBEDDED_HOSTED_PAGES',
    ...change,
  };
}

export function paymentIn({ body }: Answer): Shown {
  return body['payment'] as Shown;
}

export function errorOf({ status, body }: Answer): unknown[] {
  const { errorCode, paths = [] } = (body['error'] ?? {}) as { errorCode?: string; paths?: string[] };
  return [status, errorCode, ...paths];
}

/**
 * The test set-up of the rail: Token.io's simulator over HTTP, on a clock that the test moves, with made-up orders and
 * generated keys. A listener reads and responds to webhooks like the gateway.
 */
import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ManualClock } from '../../../../rail-simulators/src/manual-clock.ts';
import { publicText } from '../../../../rail-simulators/src/token-io/key-files.ts';
import { startTokenIo } from '../../../../rail-simulators/src/token-io/server.ts';
import { testPayer } from '../../../test/support/form/test-payer.ts';
import { simulatorAt } from '../../../test/support/rails/simulator-control.ts';
import type { RailNotifications } from '../../domain/notifications/rail-notification.ts';
import type { PaymentNews, PaymentOrder, PaymentRail } from '../../domain/payments/payment-rail.ts';
import { createProviderHttp } from '../kit/provider-http.ts';
import { TOKEN_IO_LARGEST_ANSWER_BYTES } from './api.ts';
import type { TokenIoConfiguration } from './configuration.ts';
import { createTokenIoNotifications } from './notifications.ts';
import { createTokenIoPaymentRail } from './payment-rail.ts';

const EDGE = { host: '127.0.0.1', port: 0, secret: 'control', control: true, log: () => {} };
const MEMBER = { memberId: 'm:gateway:5zKtXEAq', keyId: 'gateway-key' };
const CREDITOR = { iban: 'NL91ABNA0417164300', name: 'Payment Gateway' };
const ACCOUNT = { id: 'pa:gateway:2gFUX1NEGTG', ...CREDITOR };
const COMMON = {
  settlementAccount: ACCOUNT.id,
  creditor: CREDITOR,
  localInstrument: 'SEPA_INSTANT',
  onBehalfOf: '',
  simulated: true,
} as const;

/** The result of one webhook: its events, or the reason why it was rejected. */
export type Notified = readonly PaymentNews[] | { readonly failure: string };

interface TokenIoConnection {
  readonly rail: PaymentRail;
  /** The rails that reported refused credentials. */
  readonly refusedCredentials: readonly string[];
  close(): Promise<void>;
}

export interface TokenIoUnderTest extends TokenIoConnection {
  readonly clock: ManualClock;
  readonly url: string;
  /** The folder of the keys. */
  readonly folder: string;
  readonly configuration: TokenIoConfiguration;
  /** Contains one entry for each received webhook. */
  readonly notified: Notified[];
  /** Returns a new order on each call: 100.50 EUR at a bank of several countries. */
  order(change?: Partial<PaymentOrder>, payer?: Partial<PaymentOrder['payer']>): PaymentOrder;
  connect(change?: Partial<TokenIoConfiguration>): TokenIoConnection;
  control(what: string, body?: object): Promise<Record<string, unknown>>;
  /** Moves the clock in small steps, so that consequences of due events also happen. */
  pass(milliseconds: number): Promise<void>;
  /** Waits until `count` webhooks were accepted or rejected. */
  untilNotified(count: number): Promise<readonly Notified[]>;
  reset(): Promise<void>;
}

export async function openTokenIoUnderTest(): Promise<TokenIoUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-token-io-rail-'));
  const clock = new ManualClock(Date.UTC(2026, 10, 20, 12));
  const privateKeyFile = join(folder, 'private-key.pem');
  const { privateKey } = generateKeyPairSync('ed25519');
  const findPublicKey = () => createPublicKey(createPrivateKey(readFileSync(privateKeyFile)));
  const keys = { privateKeyFile, webhookPublicKey: publicText(privateKey) };
  const notified: Notified[] = [];
  const inbox = createServer((request, response) => void answerAs(notifications, notified, request, response));
  inbox.listen(0, '127.0.0.1');
  await once(inbox, 'listening');
  const webhookUrl = `http://127.0.0.1:${(inbox.address() as AddressInfo).port}/rail-notifications/token-io`;
  const own = { ...MEMBER, account: ACCOUNT, findPublicKey, privateKey, webhookUrl, clock };
  const tokenIo = await startTokenIo({ ...EDGE, ...own });
  const configuration: TokenIoConfiguration = { ...MEMBER, ...keys, ...COMMON, url: tokenIo.url };
  const notifications = createTokenIoNotifications(configuration);
  const connect = (change: Partial<TokenIoConfiguration> = {}) => connectTo({ ...configuration, ...change }, clock);
  const control = simulatorAt({ url: tokenIo.url, secret: EDGE.secret });
  let orders = 0;
  const connection = connect();
  return {
    ...connection,
    clock,
    url: tokenIo.url,
    folder,
    configuration,
    notified,
    order: (change = {}, payer = {}) => orderOf(++orders, clock.now(), change, payer),
    connect,
    control,
    async pass(milliseconds) {
      for (let passed = 0; passed < milliseconds; passed += 500) {
        clock.advance(500);
        await sleep(2);
      }
    },
    async untilNotified(count) {
      for (let tries = 0; notified.length < count; tries++) {
        assert.ok(tries < 300, `only ${notified.length} of ${count} webhooks arrived`);
        await sleep(10);
      }
      return notified;
    },
    async reset() {
      await control('reset', {});
      notified.length = 0;
    },
    async close() {
      await connection.close();
      await tokenIo.close();
      inbox.close();
      inbox.closeAllConnections();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function connectTo(configuration: TokenIoConfiguration, clock: ManualClock): TokenIoConnection {
  const limits = { connections: 4, largestAnswerBytes: TOKEN_IO_LARGEST_ANSWER_BYTES };
  const http = createProviderHttp({ baseUrl: configuration.url, ...limits });
  const refusedCredentials: string[] = [];
  const hooks = { onCredentialRefused: (name: string) => void refusedCredentials.push(name) };
  const passed = { now: () => clock.now(), sleep: async () => {} };
  const rail = createTokenIoPaymentRail(configuration, { http, hooks, clock: passed });
  return { rail, refusedCredentials, close: () => http.close() };
}

/** Handles a webhook like the gateway, without recording it. */
async function answerAs(
  notifications: RailNotifications,
  notified: Notified[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = request.headers as Record<string, string | undefined>;
  const read = notifications.read({ body: Buffer.concat(chunks), headers, clientAddress: '127.0.0.1' });
  if (!read.ok) {
    notified.push({ failure: read.error.kind });
    response.writeHead(read.error.kind === 'malformed' ? notifications.malformedStatus : 401).end();
    return;
  }
  notified.push(read.value.news.flatMap((each) => (each.kind === 'payment' ? each.news : [])));
  const { status, contentType, body } = read.value.acknowledgement;
  response.writeHead(status, { 'content-type': contentType }).end(body);
}

function orderOf(
  number: number,
  now: number,
  change: Partial<PaymentOrder>,
  payer: Partial<PaymentOrder['payer']>,
): PaymentOrder {
  return {
    reference: `${number}-AbCd1234`,
    providerReference: '',
    kept: '',
    money: { currency: 'EUR', minor: 10_050n },
    merchantName: 'Unique Shop Ltd',
    signedOrder: 'N17',
    payer: testPayer({
      firstName: 'Aino',
      lastName: 'Öberg',
      email: 'aino@example.com',
      country: 'FI',
      bankId: 'nordlys',
      ...payer,
    }),
    returnUrl: 'https://pay.example/payment/form/token/back?attempt=secret',
    expiresAt: now + 30 * 60_000,
    startedAt: now,
    ...change,
  };
}

/**
 * The test set-up of the rail: Trustly's simulator over HTTP, on a clock that the test moves, with made-up orders and
 * generated keys. A listener reads and responds to notifications like the gateway.
 */
import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '../../../../rail-simulators/src/manual-clock.ts';
import { ownPrivateKey } from '../../../../rail-simulators/src/trustly/key-files.ts';
import { startTrustly } from '../../../../rail-simulators/src/trustly/server.ts';
import { testPayer } from '../../../test/support/form/test-payer.ts';
import { simulatorAt } from '../../../test/support/rails/simulator-control.ts';
import type { RailNotifications } from '../../domain/notifications/rail-notification.ts';
import type { PaymentNews, PaymentOrder, PaymentRail } from '../../domain/payments/payment-rail.ts';
import type { PayoutLister } from '../../domain/payouts/payout-lister.ts';
import { Secret } from '../../foundation/secret.ts';
import { createProviderHttp } from '../kit/provider-http.ts';
import { createTrustlyCall } from './api.ts';
import type { TrustlyConfiguration } from './configuration.ts';
import { createTrustlyNotifications } from './notifications.ts';
import { createTrustlyPaymentRail } from './payment-rail.ts';
import { TRUSTLY_LARGEST_ANSWER_BYTES } from './queries.ts';
import { createTrustlyRefundLister } from './refund-lister.ts';

const CONTROL_SECRET = 'control';
const ACCOUNT = { username: 'gateway', password: 'its-password' };

/** The result of one notification: its events, or the reason why it was rejected. */
export type Notified = { readonly news: readonly PaymentNews[] } | { readonly failure: string };

interface TrustlyConnection {
  readonly rail: PaymentRail;
  readonly lister: PayoutLister;
  /** The rails that reported refused credentials. */
  readonly refusedCredentials: readonly string[];
  close(): Promise<void>;
}

export interface TrustlyUnderTest extends TrustlyConnection {
  readonly clock: ManualClock;
  readonly url: string;
  /** The folder of the keys. */
  readonly folder: string;
  readonly notified: Notified[];
  /** Returns a new order of 100.50 EUR on each call. */
  order(change?: Partial<PaymentOrder>, payer?: Partial<PaymentOrder['payer']>): PaymentOrder;
  connect(change?: Partial<TrustlyConfiguration>): TrustlyConnection;
  control(what: string, body?: object): Promise<Record<string, unknown>>;
  /** Waits until `count` notifications were accepted or rejected. */
  untilNotified(count: number): Promise<readonly Notified[]>;
  reset(): Promise<void>;
}

export async function openTrustlyUnderTest(): Promise<TrustlyUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-trustly-rail-'));
  const clock = new ManualClock(Date.UTC(2026, 10, 20, 12));
  const [privateKeyFile, publicKeyFile] = [join(folder, 'private-key.pem'), join(folder, 'trustly-public.pem')];
  const privateKey = ownPrivateKey(join(folder, 'trustly-own.pem'), publicKeyFile);
  const notified: Notified[] = [];
  const inbox = createServer((request, response) => void answerAs(notifications, notified, request, response));
  inbox.listen(0, '127.0.0.1');
  await once(inbox, 'listening');
  const notificationUrl = `http://127.0.0.1:${(inbox.address() as AddressInfo).port}/rail-notifications/trustly`;
  const findPublicKey = () => createPublicKey(createPrivateKey(readFileSync(privateKeyFile)));
  const edge = { host: '127.0.0.1', port: 0, secret: CONTROL_SECRET, control: true, log: () => {} };
  const trustly = await startTrustly({ ...edge, ...ACCOUNT, findPublicKey, privateKey, clock });
  const { username, password } = ACCOUNT;
  const keys = { privateKeyFile, publicKeyFile };
  const account = { username, password: new Secret(password), ...keys, notificationUrl, simulated: true };
  const notifications = createTrustlyNotifications({ ...account, url: trustly.url });

  function connect(change: Partial<TrustlyConfiguration> = {}): TrustlyConnection {
    const configuration = { url: `${trustly.url}/api/1`, ...account, ...change };
    const limits = { connections: 4, largestAnswerBytes: TRUSTLY_LARGEST_ANSWER_BYTES };
    const http = createProviderHttp({ baseUrl: configuration.url, ...limits });
    const refusedCredentials: string[] = [];
    const hooks = { onCredentialRefused: (name: string) => void refusedCredentials.push(name) };
    const passed = { now: () => clock.now(), sleep: async () => {} };
    const rail = createTrustlyPaymentRail(configuration, { http, hooks, clock: passed });
    const lister = createTrustlyRefundLister(configuration, createTrustlyCall(configuration, http), passed);
    return { rail, lister, refusedCredentials, close: () => http.close() };
  }

  const control = simulatorAt({ url: trustly.url, secret: CONTROL_SECRET });

  async function untilNotified(count: number): Promise<readonly Notified[]> {
    for (let tries = 0; notified.length < count; tries++) {
      assert.ok(tries < 300, `only ${notified.length} of ${count} notifications came`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return notified;
  }

  let orders = 0;
  const own = connect();
  return {
    ...own,
    clock,
    url: trustly.url,
    folder,
    notified,
    order: (change = {}, payer = {}) => orderOf(++orders, clock.now(), change, payer),
    connect,
    control,
    untilNotified,
    async reset() {
      await control('reset', {});
      notified.length = 0;
    },
    async close() {
      await own.close();
      await trustly.close();
      inbox.close();
      inbox.closeAllConnections();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Handles a notification like the gateway, without recording it. */
async function answerAs(
  notifications: RailNotifications,
  notified: Notified[],
  request: AsyncIterable<Buffer>,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const reading = notifications.read({ body: Buffer.concat(chunks), headers: {}, clientAddress: '127.0.0.1' });
  if (!reading.ok) {
    notified.push({ failure: reading.error.kind });
    response.writeHead(reading.error.kind === 'malformed' ? notifications.malformedStatus : 401).end();
    return;
  }
  notified.push({ news: reading.value.news.flatMap((item) => (item.kind === 'payment' ? [item.news] : [])) });
  const { status, contentType, body } = reading.value.acknowledgement;
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
    merchantName: 'Ünique Shop <Ltd>',
    signedOrder: 'N17',
    payer: testPayer({
      userId: 'u-1',
      firstName: 'Aino',
      lastName: 'Öberg',
      email: 'aino@example.com',
      phone: '+358401234567',
      country: 'FI',
      language: 'uk',
      ...payer,
    }),
    returnUrl: 'https://pay.example/payment/form/token/back?attempt=secret',
    expiresAt: now + 30 * 60_000,
    startedAt: now,
    ...change,
  };
}

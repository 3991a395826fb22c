/**
 * The rail over VoPay as its tests hold it: VoPay's simulator, a listener for its webhooks, both on a clock that the tests move,
 * and orders made up.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ManualClock } from '../../../rail-simulators/src/manual-clock.ts';
import { startVoPay } from '../../../rail-simulators/src/vopay/vopay-server.ts';
import type { PaymentOrder, PaymentPayer, PaymentRail, RefundOrder } from '../../src/domain/deposits/payment-rail.ts';
import type { FloatReader } from '../../src/domain/payouts/float-reader.ts';
import type { PayoutLister } from '../../src/domain/payouts/payout-lister.ts';
import type { PayoutOrder, PayoutRail } from '../../src/domain/payouts/payout-rail.ts';
import type { RailNews } from '../../src/domain/rail-notification.ts';
import { HOUR_MS } from '../../src/foundation/clock.ts';
import { Secret } from '../../src/foundation/secret.ts';
import { createProviderHttp } from '../../src/rails/provider-http.ts';
import type { VoPayConfiguration } from '../../src/rails/vopay/configuration.ts';
import { type ConfirmPayout, createConfirmPayout } from '../../src/rails/vopay/confirm-payout.ts';
import { createVoPayFloatReader } from '../../src/rails/vopay/float-reader.ts';
import { createVoPayNotifications } from '../../src/rails/vopay/notifications.ts';
import { createVoPayPaymentRail } from '../../src/rails/vopay/payment-rail.ts';
import { createVoPayPayoutLister } from '../../src/rails/vopay/payout-lister.ts';
import { createVoPayPayoutRail } from '../../src/rails/vopay/payout-rail.ts';
import { createVoPayApi } from '../../src/rails/vopay/vopay-api.ts';
import { askSimulator } from './simulator-control.ts';
import { testPayer } from './test-payer.ts';

const CONTROL_SECRET = 'control';
const ACCOUNT = { accountId: 'gateway', key: 'key-of-the-gateway', sharedSecret: 'shared-secret' };

/** What came of one webhook: its news, or why it was not read. */
export type Told = readonly RailNews[] | { readonly failure: string };

export interface VoPayConnection {
  readonly rail: PaymentRail;
  readonly payouts: PayoutRail;
  readonly lister: PayoutLister;
  readonly float: FloatReader;
  readonly confirmPayout: ConfirmPayout;
  /** The rails that said so. */
  readonly refusedCredentials: readonly string[];
  close(): Promise<void>;
}

export interface VoPayRailBench extends VoPayConnection {
  readonly clock: ManualClock;
  readonly url: string;
  readonly told: Told[];
  /** What the listener answers; a test may change it. */
  webhookStatus: number;
  /** A new order of a new payer each time: 100.50 CAD, payable for an hour. */
  order(change?: Partial<PaymentOrder>, payer?: Partial<PaymentPayer>): PaymentOrder;
  refundOf(payment: PaymentOrder, minor?: bigint): RefundOrder;
  /** A new payout to a new recipient each time: 100.00 CAD. */
  payout(change?: Partial<PayoutOrder>): PayoutOrder;
  connect(change?: Partial<VoPayConfiguration>): VoPayConnection;
  control(what: string, body?: object): Promise<Record<string, unknown>>;
  /** Waits until so many webhooks were read or refused, and a moment for one too many. */
  toldUntil(count: number): Promise<readonly Told[]>;
  reset(): Promise<void>;
}

export async function openVoPayRailBench(): Promise<VoPayRailBench> {
  const clock = new ManualClock(Date.UTC(2026, 10, 20, 18));
  const told: Told[] = [];
  const confirmPayout: ConfirmPayout = (...about) => own.confirmPayout(...about);
  const listener = await openListener(told, () => bench.webhookStatus, confirmPayout);
  const edge = { host: '127.0.0.1', port: 0, secret: CONTROL_SECRET, control: true, log: () => {} };
  const vopay = await startVoPay({ ...edge, ...ACCOUNT, webhookUrl: listener.url, clock });
  const connect = (change: Partial<VoPayConfiguration> = {}) => connectTo(`${vopay.url}/api/v2`, clock, change);

  const control = (what: string, body?: object) => askSimulator({ url: vopay.url, secret: CONTROL_SECRET }, what, body);

  async function toldUntil(count: number): Promise<readonly Told[]> {
    for (let tries = 0; tries < 200 && told.length < count; tries++) await pause(10);
    await pause(50);
    assert.equal(told.length, count);
    return told;
  }

  let orders = 0;
  const own = connect();
  const bench: VoPayRailBench = {
    ...own,
    clock,
    url: vopay.url,
    told,
    webhookStatus: 200,
    order: (change = {}, payer = {}) => orderOf(++orders, clock.now(), change, payer),
    refundOf: (payment, minor = payment.money.minor) => ({
      payment,
      reference: `${++orders}-ReFu1234`,
      money: { currency: 'CAD', minor },
      startedAt: clock.now(),
    }),
    payout: (change = {}) => payoutOf(++orders, clock.now(), change),
    connect,
    control,
    toldUntil,
    async reset() {
      await control('reset', {});
      told.length = 0;
      bench.webhookStatus = 200;
    },
    async close() {
      await own.close();
      await vopay.close();
      listener.close();
    },
  };
  return bench;
}

function connectTo(url: string, clock: ManualClock, change: Partial<VoPayConfiguration>): VoPayConnection {
  const configuration: VoPayConfiguration = {
    url,
    accountId: ACCOUNT.accountId,
    key: new Secret(ACCOUNT.key),
    sharedSecret: new Secret(ACCOUNT.sharedSecret),
    simulated: true,
    ...change,
  };
  const http = createProviderHttp({ baseUrl: configuration.url, connections: 4 });
  const refusedCredentials: string[] = [];
  const hooks = { onCredentialRefused: (name: string) => void refusedCredentials.push(name) };
  const passed = { now: () => clock.now(), sleep: async () => {} };
  const api = createVoPayApi(configuration, { http, hooks, clock: passed });
  return {
    rail: createVoPayPaymentRail(configuration, api, passed),
    payouts: createVoPayPayoutRail(configuration, api, passed),
    lister: createVoPayPayoutLister(api),
    float: createVoPayFloatReader(api),
    confirmPayout: createConfirmPayout(api),
    refusedCredentials,
    close: () => http.close(),
  };
}

interface Listener {
  readonly url: string;
  close(): void;
}

/** What the gateway does with a webhook, but for recording it. */
async function openListener(told: Told[], status: () => number, confirmPayout: ConfirmPayout): Promise<Listener> {
  const notifications = createVoPayNotifications({ sharedSecret: new Secret(ACCOUNT.sharedSecret) }, confirmPayout);
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const reading = notifications.read({ body: Buffer.concat(chunks), headers: {}, clientAddress: '127.0.0.1' });
    told.push(reading.ok ? reading.value.news : { failure: reading.error.kind });
    response.writeHead(reading.ok ? status() : 401).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/rail-notifications/vopay`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function orderOf(
  number: number,
  now: number,
  change: Partial<PaymentOrder>,
  payer: Partial<PaymentPayer>,
): PaymentOrder {
  return {
    reference: `${number}-AbCd1234`,
    providerReference: '',
    kept: '',
    money: { currency: 'CAD', minor: 10_050n },
    merchantName: 'Maple Shop',
    description: 'Order 17',
    payer: testPayer({
      firstName: 'Zoé',
      lastName: 'Tremblay',
      email: `payer${number}@example.com`,
      phone: '+15145550100',
      country: 'CA',
      address: '1 Main St',
      city: 'Montréal',
      postCode: 'H2X 1Y4',
      region: 'QC',
      ...payer,
    }),
    returnUrl: 'https://pay.example/payment/form/token/back?attempt=secret',
    expiresAt: now + HOUR_MS,
    startedAt: now,
    ...change,
  };
}

function payoutOf(number: number, now: number, change: Partial<PayoutOrder>): PayoutOrder {
  return {
    reference: `${number}-AbCd1234`,
    remittance: `M1/A${number}`,
    method: 92,
    money: { currency: 'CAD', minor: 10_000n },
    beneficiary: {
      account: `recipient${number}@example.com`,
      full_name: 'Zoé <Tremblay>',
      customs_phone: '+14165550123',
      customs_email: `other${number}@example.com`,
    },
    sendUntil: now,
    delayed: false,
    ...change,
  };
}

/**
 * The rail over RazorpayX as its tests hold it: RazorpayX's simulator, a listener for its webhooks, both on a clock that the
 * tests move, and orders made up.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ManualClock } from '../../../rail-simulators/src/manual-clock.ts';
import { startRazorpayX } from '../../../rail-simulators/src/razorpayx/razorpayx-server.ts';
import type { FloatReader } from '../../src/domain/payouts/float-reader.ts';
import type { PayoutLister } from '../../src/domain/payouts/payout-lister.ts';
import type { PayoutOrder, PayoutRail } from '../../src/domain/payouts/payout-rail.ts';
import type { RailNews, RailNotifications } from '../../src/domain/rail-notification.ts';
import { createManualClock } from '../../src/foundation/clock.ts';
import { Secret } from '../../src/foundation/secret.ts';
import type { RazorpayXConfiguration } from '../../src/rails/razorpayx/configuration.ts';
import { createRails } from '../../src/rails/registry.ts';
import { NO_RAILS } from './no-rails.ts';
import { askSimulator } from './simulator-control.ts';

const CONTROL_SECRET = 'control';
const ACCOUNT = {
  keyId: 'rzp_test_gateway',
  keySecret: 'key-secret',
  accountNumber: '7878780080316316',
  webhookSecret: 'webhook-secret',
};

/** What came of one webhook: its news, or why it was not read. */
export type Told = readonly RailNews[] | { readonly failure: string };

export interface RazorpayXConnection {
  readonly rail: PayoutRail;
  readonly lister: PayoutLister;
  readonly floatReader: FloatReader;
  readonly notifications: RailNotifications;
  /** The rails that said so. */
  readonly refusedCredentials: readonly string[];
  close(): Promise<void>;
}

export interface RazorpayXRailBench extends RazorpayXConnection {
  readonly clock: ManualClock;
  readonly url: string;
  readonly told: Told[];
  /** A new order each time: 100.25 INR to a new account. */
  order(change?: Partial<PayoutOrder>): PayoutOrder;
  connect(change?: Partial<RazorpayXConfiguration>): RazorpayXConnection;
  control(what: string, body?: object): Promise<Record<string, unknown>>;
  /** Waits until so many webhooks were read or refused, and a moment for one too many. */
  toldUntil(count: number): Promise<readonly Told[]>;
  reset(): Promise<void>;
}

export async function openRazorpayXRailBench(): Promise<RazorpayXRailBench> {
  // Eleven in the morning in India.
  const clock = new ManualClock(Date.UTC(2026, 10, 20, 5, 30));
  const told: Told[] = [];
  const listener = await openListener(told, () => own.notifications);
  const edge = { host: '127.0.0.1', port: 0, secret: CONTROL_SECRET, control: true, log: () => {} };
  const razorpayx = await startRazorpayX({ ...edge, ...ACCOUNT, webhookUrl: listener.url, clock });
  const connect = (change: Partial<RazorpayXConfiguration> = {}) => connectRazorpayX(`${razorpayx.url}/v1`, change);
  const own = connect();
  const control = (what: string, body?: object) =>
    askSimulator({ url: razorpayx.url, secret: CONTROL_SECRET }, what, body);

  async function toldUntil(count: number): Promise<readonly Told[]> {
    for (let tries = 0; tries < 200 && told.length < count; tries++) await pause(10);
    await pause(50);
    assert.equal(told.length, count);
    return told;
  }

  let orders = 0;
  return {
    ...own,
    clock,
    url: razorpayx.url,
    told,
    order: (change = {}) => ({ ...testRupeeOrder(`${++orders}-AbCd1234`), ...change }),
    connect,
    control,
    toldUntil,
    async reset() {
      await control('reset', {});
      told.length = 0;
    },
    async close() {
      await own.close();
      await razorpayx.close();
      listener.close();
    },
  };
}

export function connectRazorpayX(url: string, change: Partial<RazorpayXConfiguration> = {}): RazorpayXConnection {
  const razorpayx: RazorpayXConfiguration = {
    url,
    keyId: ACCOUNT.keyId,
    keySecret: new Secret(ACCOUNT.keySecret),
    accountNumber: ACCOUNT.accountNumber,
    purpose: 'payout',
    webhookSecrets: [new Secret(ACCOUNT.webhookSecret)],
    simulated: true,
    ...change,
  };
  const refusedCredentials: string[] = [];
  const hooks = { onCredentialRefused: (name: string) => void refusedCredentials.push(name) };
  const rails = createRails({ ...NO_RAILS, razorpayx }, hooks, createManualClock(0));
  const [[rail], [lister], [floatReader], [notifications]] = [
    rails.payoutRails,
    rails.payoutListers,
    rails.floatReaders,
    rails.notifications,
  ];
  assert.ok(rail && lister && floatReader && notifications);
  return { rail, lister, floatReader, notifications, refusedCredentials, close: () => rails.close() };
}

export function testRupeeOrder(reference: string): PayoutOrder {
  return {
    reference,
    remittance: 'M1/A_17',
    method: 26,
    money: { currency: 'INR', minor: 10_025n },
    beneficiary: {
      account: '50100012345678',
      full_name: 'Ravi Kumar',
      customs_phone: '+919876543210',
      customs_email: 'r@example.com',
      customs_ifsc: 'HDFC0000001',
      customs_ip: '203.0.113.7',
    },
    sendUntil: 0,
    delayed: false,
  };
}

interface Listener {
  readonly url: string;
  close(): void;
}

/** What the gateway does with a webhook, but for recording it. */
async function openListener(told: Told[], notifications: () => RailNotifications): Promise<Listener> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = { 'x-razorpay-signature': String(request.headers['x-razorpay-signature']) };
    const reading = notifications().read({ body: Buffer.concat(chunks), headers, clientAddress: '127.0.0.1' });
    told.push(reading.ok ? reading.value.news : { failure: reading.error.kind });
    // What is refused would come again, on a clock that moves; here once is enough.
    response.writeHead(200).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/rail-notifications/razorpayx`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

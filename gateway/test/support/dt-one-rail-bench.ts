/**
 * The rail over DT One as its tests hold it: DT One's simulator, a listener for its callbacks, both on a clock that the tests
 * move, and orders made up.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startDtOne } from '../../../rail-simulators/src/dt-one/dt-one-server.ts';
import { ManualClock } from '../../../rail-simulators/src/manual-clock.ts';
import type { FloatReader } from '../../src/domain/payouts/float-reader.ts';
import type { PayoutLister } from '../../src/domain/payouts/payout-lister.ts';
import type { PayoutOrder, PayoutRail } from '../../src/domain/payouts/payout-rail.ts';
import type { PayoutNews, RailNotifications } from '../../src/domain/rail-notification.ts';
import { createManualClock } from '../../src/foundation/clock.ts';
import { Secret } from '../../src/foundation/secret.ts';
import type { DtOneConfiguration } from '../../src/rails/dt-one/configuration.ts';
import { createRails } from '../../src/rails/registry.ts';
import { NO_RAILS } from './no-rails.ts';
import { askSimulator } from './simulator-control.ts';

const CONTROL_SECRET = 'control';
const ACCOUNT = {
  apiKey: 'gateway',
  apiSecret: 'api-secret',
  callbackUsername: 'dt-one',
  callbackPassword: 'callback-password',
};

/** What came of one callback: its news, or why it was not read. */
export type Told = readonly PayoutNews[] | { readonly failure: string };

export interface DtOneConnection {
  readonly rail: PayoutRail;
  readonly lister: PayoutLister;
  readonly floatReader: FloatReader;
  readonly notifications: RailNotifications;
  /** The rails that said so. */
  readonly refusedCredentials: readonly string[];
  close(): Promise<void>;
}

export interface DtOneRailBench extends DtOneConnection {
  readonly clock: ManualClock;
  readonly told: Told[];
  /** A new order each time: 1000.25 KZT. */
  order(change?: Partial<PayoutOrder>): PayoutOrder;
  connect(change?: Partial<DtOneConfiguration>): DtOneConnection;
  control(what: string, body?: object): Promise<Record<string, unknown>>;
  /** Waits until so many callbacks were read or refused, and a moment for one too many. */
  toldUntil(count: number): Promise<readonly Told[]>;
  reset(): Promise<void>;
}

export async function openDtOneRailBench(): Promise<DtOneRailBench> {
  const clock = new ManualClock(Date.UTC(2026, 10, 20, 12));
  const told: Told[] = [];
  const listener = await openListener(told, () => own.notifications);
  const edge = { host: '127.0.0.1', port: 0, secret: CONTROL_SECRET, control: true, log: () => {} };
  const dtOne = await startDtOne({ ...edge, ...ACCOUNT, clock });
  const connect = (change: Partial<DtOneConfiguration> = {}) =>
    connectDtOne(`${dtOne.url}/v1`, { callbackUrl: listener.url, ...change });
  const own = connect();
  const control = (what: string, body?: object) => askSimulator({ url: dtOne.url, secret: CONTROL_SECRET }, what, body);

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
    told,
    order: (change = {}) => ({ ...testTengeOrder(`${++orders}-AbCd1234`), ...change }),
    connect,
    control,
    toldUntil,
    async reset() {
      await control('reset', {});
      told.length = 0;
    },
    async close() {
      await own.close();
      await dtOne.close();
      listener.close();
    },
  };
}

export function connectDtOne(url: string, change: Partial<DtOneConfiguration> = {}): DtOneConnection {
  const dtOne: DtOneConfiguration = {
    url,
    apiKey: ACCOUNT.apiKey,
    apiSecret: new Secret(ACCOUNT.apiSecret),
    products: [
      { operatorId: '2001', productId: '9001' },
      { operatorId: '2002', productId: '9002' },
      { operatorId: '2003', productId: '9003' },
    ],
    callbackUrl: 'http://127.0.0.1:1/rail-notifications/dt-one',
    callbackUsername: ACCOUNT.callbackUsername,
    callbackPassword: new Secret(ACCOUNT.callbackPassword),
    simulated: true,
    ...change,
  };
  const refusedCredentials: string[] = [];
  const hooks = { onCredentialRefused: (name: string) => void refusedCredentials.push(name) };
  const rails = createRails({ ...NO_RAILS, dtOne }, hooks, createManualClock(0));
  const [[rail], [lister], [floatReader], [notifications]] = [
    rails.payoutRails,
    rails.payoutListers,
    rails.floatReaders,
    rails.notifications,
  ];
  assert.ok(rail && lister && floatReader && notifications);
  return { rail, lister, floatReader, notifications, refusedCredentials, close: () => rails.close() };
}

export function testTengeOrder(reference: string): PayoutOrder {
  return {
    reference,
    remittance: 'M1/A17',
    method: 24,
    money: { currency: 'KZT', minor: 100_025n },
    beneficiary: { account: '77011234567', full_name: 'Dana Akhmetova' },
    sendUntil: 0,
    delayed: false,
  };
}

interface Listener {
  readonly url: string;
  close(): void;
}

/** What the gateway does with a callback, but for asking and recording. */
async function openListener(told: Told[], notifications: () => RailNotifications): Promise<Listener> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = { authorization: request.headers.authorization };
    const reading = notifications().read({ body: Buffer.concat(chunks), headers, clientAddress: '127.0.0.1' });
    told.push(reading.ok ? (reading.value.news as readonly PayoutNews[]) : { failure: reading.error.kind });
    // What is refused would come again, on a clock that moves; here once is enough.
    response.writeHead(200).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/rail-notifications/dt-one`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

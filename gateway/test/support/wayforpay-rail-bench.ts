/** WayForPay's simulator with the rail connected to it, and a listener that does with callbacks what the gateway does. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ManualClock } from '../../../rail-simulators/src/manual-clock.ts';
import { startWayForPay } from '../../../rail-simulators/src/wayforpay/wayforpay-server.ts';
import type { FloatReader } from '../../src/domain/payouts/float-reader.ts';
import type { PayoutLister } from '../../src/domain/payouts/payout-lister.ts';
import type { PayoutOrder, PayoutRail } from '../../src/domain/payouts/payout-rail.ts';
import type { RailNews, RailNotifications } from '../../src/domain/rail-notification.ts';
import { Secret } from '../../src/foundation/secret.ts';
import { createRails } from '../../src/rails/registry.ts';
import type { WayForPayConfiguration } from '../../src/rails/wayforpay/configuration.ts';
import { NO_RAILS } from './no-rails.ts';
import { askSimulator } from './simulator-control.ts';

const CONTROL_SECRET = 'control';
const ACCOUNT = { merchantAccount: 'test_merch_n1', secretKey: 'flk3409refn54t54t*FNJRET' };

/** What came of one callback: its news, or why it was not read. */
export type Told = readonly RailNews[] | { readonly failure: string };

export interface WayForPayConnection {
  readonly rail: PayoutRail;
  readonly lister: PayoutLister;
  readonly float: FloatReader;
  readonly notifications: RailNotifications;
  /** The rails that said so. */
  readonly refusedCredentials: readonly string[];
  close(): Promise<void>;
}

export interface WayForPayRailBench extends WayForPayConnection {
  readonly clock: ManualClock;
  readonly url: string;
  readonly told: Told[];
  /** A new order each time: 100.70 UAH to a card. */
  order(change?: Partial<PayoutOrder>): PayoutOrder;
  /** The same to an IBAN. */
  toIban(change?: Partial<PayoutOrder>): PayoutOrder;
  connect(change?: Partial<WayForPayConfiguration>): WayForPayConnection;
  control(what: string, body?: object): Promise<Record<string, unknown>>;
  faults(which: object): Promise<unknown>;
  /** Waits until so many callbacks were read or refused, and a moment for one too many. */
  toldUntil(count: number): Promise<readonly Told[]>;
  reset(): Promise<void>;
}

export async function openWayForPayRailBench(): Promise<WayForPayRailBench> {
  const clock = new ManualClock(Date.UTC(2026, 10, 20, 18));
  const told: Told[] = [];
  const edge = { host: '127.0.0.1', port: 0, secret: CONTROL_SECRET, control: true, log: () => {} };
  const wayforpay = await startWayForPay({ ...edge, ...ACCOUNT, clock });
  const listener = await openListener(told, () => own.notifications);
  const connect = (change: Partial<WayForPayConfiguration> = {}) =>
    connectTo({ url: wayforpay.url, serviceUrl: listener.url, ...change }, clock);
  const control = (what: string, body?: object) =>
    askSimulator({ url: wayforpay.url, secret: CONTROL_SECRET }, what, body);

  async function toldUntil(count: number): Promise<readonly Told[]> {
    for (let tries = 0; tries < 200 && told.length < count; tries++) await pause(10);
    await pause(50);
    assert.equal(told.length, count);
    return told;
  }

  let orders = 0;
  const own = connect();
  const order = (change: Partial<PayoutOrder> = {}) => orderOf(++orders, change);
  return {
    ...own,
    clock,
    url: wayforpay.url,
    told,
    order,
    toIban: (change = {}) => order({ method: 34, beneficiary: IBAN_BENEFICIARY, ...change }),
    connect,
    control,
    faults: (which) => control('faults', which),
    toldUntil,
    async reset() {
      await control('reset', {});
      told.length = 0;
    },
    async close() {
      await own.close();
      await wayforpay.close();
      listener.close();
    },
  };
}

function connectTo(change: Partial<WayForPayConfiguration>, clock: ManualClock): WayForPayConnection {
  const configuration: WayForPayConfiguration = {
    url: '',
    merchantAccount: ACCOUNT.merchantAccount,
    secretKey: new Secret(ACCOUNT.secretKey),
    serviceUrl: '',
    simulated: true,
    ...change,
  };
  const refusedCredentials: string[] = [];
  const hooks = { onCredentialRefused: (name: string) => void refusedCredentials.push(name) };
  const passed = { now: () => clock.now(), sleep: async () => {} };
  const rails = createRails({ ...NO_RAILS, wayforpay: configuration }, hooks, passed);
  const [rail] = rails.payoutRails;
  const [lister] = rails.payoutListers;
  const [float] = rails.floatReaders;
  const [notifications] = rails.notifications;
  assert.ok(rail && lister && float && notifications);
  return { rail, lister, float, notifications, refusedCredentials, close: () => rails.close() };
}

interface Listener {
  readonly url: string;
  close(): void;
}

/** What the gateway does with a callback, but for recording it. */
async function openListener(told: Told[], notifications: () => RailNotifications): Promise<Listener> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const reading = notifications().read({ body: Buffer.concat(chunks), headers: {}, clientAddress: '127.0.0.1' });
    told.push(reading.ok ? reading.value.news : { failure: reading.error.kind });
    if (reading.ok) response.end(reading.value.acknowledgement.body);
    else response.writeHead(401).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/rail-notifications/wayforpay`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export const CARD = '4111111111111111';
const IBAN_BENEFICIARY = {
  account: 'UA213223130000026007233566001',
  full_name: 'Ivan P',
  customs_card: new Secret(CARD),
  customs_inn: '3184710691',
};

function orderOf(number: number, change: Partial<PayoutOrder>): PayoutOrder {
  return {
    reference: `${number}-AbCd1234`,
    remittance: `M1/A${number}`,
    method: 1,
    money: { currency: 'UAH', minor: 10_070n },
    beneficiary: { account: new Secret(CARD), full_name: 'Ivan P' },
    sendUntil: 0,
    delayed: false,
    ...change,
  };
}

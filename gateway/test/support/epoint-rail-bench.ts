/** Epoint's simulator with the rail connected to it, registered cards, and a listener that does with callbacks what we do. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEpoint } from '../../../rail-simulators/src/epoint/epoint-server.ts';
import { ManualClock } from '../../../rail-simulators/src/manual-clock.ts';
import type { PayoutOrder, PayoutRail } from '../../src/domain/payouts/payout-rail.ts';
import type { RailNews, RailNotifications } from '../../src/domain/rail-notification.ts';
import { Secret } from '../../src/foundation/secret.ts';
import type { EpointAccount, EpointConfiguration } from '../../src/rails/epoint/configuration.ts';
import { sealed, writeForm } from '../../src/rails/epoint/envelope.ts';
import { cardHash } from '../../src/rails/epoint/registered-cards.ts';
import { createRails } from '../../src/rails/registry.ts';
import { NO_RAILS } from './no-rails.ts';
import { askSimulator } from './simulator-control.ts';

const CONTROL_SECRET = 'control';
/** The example of Epoint's description. */
const PUBLIC_KEY = 'i000000001';
const PRIVATE_KEY = 'd3hjsl38sd8kdfhbcea0be04eafde9e8e2bad2fb092d';

export const CARD = '4111111111111111';
export const UNREGISTERED_CARD = '5555555555554444';

/** What came of one callback: its news, or why it was not read. */
export type Told = readonly RailNews[] | { readonly failure: string };

export interface EpointConnection {
  readonly rail: PayoutRail;
  readonly notifications: RailNotifications;
  /** The rails that said so. */
  readonly refusedCredentials: readonly string[];
  close(): Promise<void>;
}

export interface EpointRailBench extends EpointConnection {
  readonly clock: ManualClock;
  readonly url: string;
  readonly told: Told[];
  /** A new order each time: 30.75 AZN to the registered card. */
  order(change?: Partial<PayoutOrder>): PayoutOrder;
  connect(change?: Partial<EpointConfiguration>): EpointConnection;
  control(what: string, body?: object): Promise<Record<string, unknown>>;
  faults(which: object): Promise<unknown>;
  /** Waits until so many callbacks were read or refused, and a moment for one too many. */
  toldUntil(count: number): Promise<readonly Told[]>;
  /** Forgets all but the card. */
  reset(): Promise<void>;
}

export async function openEpointRailBench(): Promise<EpointRailBench> {
  const clock = new ManualClock(Date.UTC(2026, 10, 20, 18));
  const told: Told[] = [];
  const folder = await mkdtemp(join(tmpdir(), 'epoint-cards-'));
  const cardsFile = join(folder, 'cards');
  const listener = await openListener(told, () => own.notifications);
  const account = { publicKey: PUBLIC_KEY, privateKey: PRIVATE_KEY, resultUrl: listener.url };
  const edge = { host: '127.0.0.1', port: 0, secret: CONTROL_SECRET, control: true, log: () => {} };
  const epoint = await startEpoint({ ...edge, ...account, clock });
  const url = `${epoint.url}/api/1`;
  const connect = (change: Partial<EpointConfiguration> = {}) => connectTo({ url, cardsFile, ...change }, clock);
  const control = (what: string, body?: object) =>
    askSimulator({ url: epoint.url, secret: CONTROL_SECRET }, what, body);

  async function toldUntil(count: number): Promise<readonly Told[]> {
    for (let tries = 0; tries < 200 && told.length < count; tries++) await pause(10);
    await pause(50);
    assert.equal(told.length, count);
    return told;
  }

  async function reset(): Promise<void> {
    await control('reset', {});
    told.length = 0;
    await writeFile(cardsFile, '# which card is registered\n');
    const registering = { url, account: { publicKey: PUBLIC_KEY, privateKey: new Secret(PRIVATE_KEY) }, cardsFile };
    await registerCard(CARD, registering, (body) => control('register', body));
    await toldUntil(1);
    told.length = 0;
  }

  let orders = 0;
  const own = connect();
  await reset();
  return {
    ...own,
    clock,
    url: epoint.url,
    told,
    order: (change = {}) => orderOf(++orders, change),
    connect,
    control,
    faults: (which) => control('faults', which),
    toldUntil,
    reset,
    async close() {
      await own.close();
      await epoint.close();
      listener.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** By Epoint's own way, up to the line by which the gateway knows the card; gives its card_id. `type`: its holder types it on Epoint's page. */
export async function registerCard(
  card: string,
  registering: { readonly url: string; readonly account: EpointAccount; readonly cardsFile: string },
  type: (body: object) => Promise<unknown>,
): Promise<string> {
  const { url, account, cardsFile } = registering;
  const fields = { public_key: account.publicKey, language: 'en', refund: '1' };
  const body = new URLSearchParams(writeForm(sealed(fields, account.privateKey)));
  const response = await fetch(`${url}/card-registration`, { method: 'POST', body });
  const { card_id } = (await response.json()) as { card_id: string };
  await type({ card_id, card });
  await appendFile(cardsFile, `${cardHash(card, account.privateKey)} ${card_id}\n`);
  return card_id;
}

function connectTo(change: Pick<EpointConfiguration, 'url' | 'cardsFile'>, clock: ManualClock): EpointConnection {
  const configuration: EpointConfiguration = {
    publicKey: PUBLIC_KEY,
    privateKey: new Secret(PRIVATE_KEY),
    simulated: true,
    ...change,
  };
  const refusedCredentials: string[] = [];
  const hooks = { onCredentialRefused: (name: string) => void refusedCredentials.push(name) };
  const passed = { now: () => clock.now(), sleep: async () => {} };
  const rails = createRails({ ...NO_RAILS, epoint: configuration }, hooks, passed);
  const [rail] = rails.payoutRails;
  const [notifications] = rails.notifications;
  assert.ok(rail && notifications);
  return { rail, notifications, refusedCredentials, close: () => rails.close() };
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
    const headers = { 'content-type': request.headers['content-type'] };
    const reading = notifications().read({ body: Buffer.concat(chunks), headers, clientAddress: '127.0.0.1' });
    told.push(reading.ok ? reading.value.news : { failure: reading.error.kind });
    response.writeHead(reading.ok ? 200 : 401).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/rail-notifications/epoint`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function orderOf(number: number, change: Partial<PayoutOrder>): PayoutOrder {
  return {
    reference: `${number}-AbCd1234`,
    remittance: `M1/A${number}`,
    method: 11,
    money: { currency: 'AZN', minor: 3_075n },
    beneficiary: { account: new Secret(CARD) },
    sendUntil: 0,
    delayed: false,
    ...change,
  };
}

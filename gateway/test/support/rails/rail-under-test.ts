/**
 * Setup for tests of a rail: a provider's simulator on a clock that the tests advance, and a connected rail from the registry.
 * A listener handles notifications like the gateway, but does not record them.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ManualClock } from '../../../../rail-simulators/src/manual-clock.ts';
import type {
  RailNews,
  RailNotifications,
  RawNotification,
} from '../../../src/domain/notifications/rail-notification.ts';
import type { PayoutLister } from '../../../src/domain/payouts/payout-lister.ts';
import type { PayoutRail } from '../../../src/domain/payouts/payout-rail.ts';
import type { FloatReader } from '../../../src/domain/rails/float-reader.ts';
import { type Clock, createManualClock } from '../../../src/foundation/clock.ts';
import { systemRandom } from '../../../src/foundation/random.ts';
import { createRails, type RailsConfiguration } from '../../../src/rails/registry.ts';
import { NO_RAILS } from '../gateway/no-rails.ts';
import { until } from '../tools/until.ts';
import { simulatorAt } from './simulator-control.ts';

/** The common options of every simulator here. */
export const EDGE = { host: '127.0.0.1', port: 0, secret: 'control', control: true, log: () => {} } as const;

/** The result of one notification: its news, or the reason for its rejection. */
export type Notified<News extends RailNews = RailNews> = readonly News[] | { readonly failure: string };

export interface RailConnection {
  readonly rail: PayoutRail;
  readonly notifications: RailNotifications;
  /** The rails that reported a refused credential. */
  readonly refusedCredentials: readonly string[];
  close(): Promise<void>;
}

export interface ListedRailConnection extends RailConnection {
  readonly lister: PayoutLister;
  readonly float: FloatReader;
}

export interface RailListener<News extends RailNews = RailNews> {
  readonly url: string;
  readonly notified: Notified<News>[];
  /** The status of the response to a notification that was read. A test may change it. */
  status: number;
  /** Waits until `count` notifications were read or rejected, and a moment longer to detect extra ones. */
  untilNotified(count: number): Promise<readonly Notified<News>[]>;
  close(): Promise<void>;
}

export interface RailUnderTest<News extends RailNews = RailNews>
  extends Pick<RailListener<News>, 'notified' | 'untilNotified'> {
  readonly clock: ManualClock;
  /** The simulator's address. */
  readonly url: string;
  control(what: string, body?: object): Promise<Record<string, unknown>>;
  faults(which: object): Promise<unknown>;
  reset(): Promise<void>;
}

export function openRailUnderTest<News extends RailNews>(
  { url }: { readonly url: string },
  clock: ManualClock,
  listener: RailListener<News>,
): RailUnderTest<News> {
  const { notified, untilNotified } = listener;
  const control = simulatorAt({ url, secret: EDGE.secret });
  return {
    clock,
    url,
    notified,
    untilNotified,
    control,
    faults: (which) => control('faults', which),
    async reset() {
      await control('reset', {});
      notified.length = 0;
      listener.status = 200;
    },
  };
}

/** Returns the rail that the registry creates from this configuration. */
export function connectRail(
  configuration: Partial<RailsConfiguration>,
  clock: Clock = createManualClock(0),
): RailConnection & Partial<ListedRailConnection> {
  const refusedCredentials: string[] = [];
  const hooks = { onCredentialRefused: (name: string) => void refusedCredentials.push(name) };
  const rails = createRails({ ...NO_RAILS, ...configuration }, { hooks, clock, random: systemRandom });
  const [[rail], [notifications], [lister], [float]] = [
    rails.payoutRails,
    rails.notifications,
    rails.payoutListers,
    rails.floatReaders,
  ];
  assert.ok(rail && notifications);
  const ports = { ...(lister ? { lister } : {}), ...(float ? { float } : {}) };
  return { rail, notifications, ...ports, refusedCredentials, close: () => rails.close() };
}

/** Returns a rail that lists its payouts and knows its float. */
export function connectListedRail(configuration: Partial<RailsConfiguration>, clock?: Clock): ListedRailConnection {
  const { lister, float, ...connection } = connectRail(configuration, clock);
  assert.ok(lister && float);
  return { ...connection, lister, float };
}

/** The simulator's clock, with sleeps that end immediately. */
export function sleepless(clock: ManualClock): Clock {
  return { now: () => clock.now(), sleep: async () => {} };
}

/** `refusedStatus` is the status of the response to an unreadable notification. */
export async function openRailListener<News extends RailNews = RailNews>(
  rail: string,
  read: (notification: RawNotification) => ReturnType<RailNotifications['read']>,
  refusedStatus = 401,
): Promise<RailListener<News>> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = request.headers as RawNotification['headers'];
    const reading = read({ body: Buffer.concat(chunks), headers, clientAddress: '127.0.0.1' });
    notified.push(reading.ok ? (reading.value.news as readonly News[]) : { failure: reading.error.kind });
    if (reading.ok) response.writeHead(listener.status).end(reading.value.acknowledgement.body);
    else response.writeHead(refusedStatus).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const notified: Notified<News>[] = [];
  const listener: RailListener<News> = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/rail-notifications/${rail}`,
    notified,
    status: 200,
    async untilNotified(count) {
      await until(`${count} notifications`, () => notified.length >= count);
      await sleep(50);
      assert.equal(notified.length, count);
      return notified;
    },
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return listener;
}

/**
 * The setup for delivery tests ("stage"): a database, merchants with a server on the loopback interface, and delivery workers.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NewCallback } from '../../src/domain/callbacks/callback.ts';
import type { CallbackEvent } from '../../src/domain/callbacks/callback-events.ts';
import type { CallbackRecord, CallbackStore } from '../../src/domain/callbacks/callback-store.ts';
import { keysByPurpose, type Merchant, type MerchantWithKeys } from '../../src/domain/merchants/merchant.ts';
import type { MerchantDirectory } from '../../src/domain/merchants/merchant-directory.ts';
import type { Clock } from '../../src/foundation/clock.ts';
import { invariant } from '../../src/foundation/invariant.ts';
import { createSeededRandom } from '../../src/foundation/random.ts';
import { createHttpCallbackTransport } from '../../src/protocol/callbacks/http-callback-transport.ts';
import { createCallbackStore, insertCallbacks } from '../../src/storage/callbacks/callback-store.ts';
import { createLaneStore } from '../../src/storage/callbacks/lane-store.ts';
import { type Database, openDatabase } from '../../src/storage/core/database.ts';
import {
  type CallbackDelivery,
  createCallbackDelivery,
  type DeliveryLimits,
} from '../../src/worker/callbacks/callback-delivery.ts';
import { testKey } from '../support/merchants/merchant-keys.ts';
import { type MerchantChange, merchantNamed } from '../support/merchants/merchant-named.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres/postgres.ts';

export interface Arrival {
  readonly merchantId: string;
  readonly id: string;
  readonly at: number;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
}

export type Answer = (response: ServerResponse, arrival: Arrival) => unknown;

/** The behaviours of a merchant's server. Only `ok` acknowledges. */
export const ANSWERS = {
  ok: (response) => response.end('OK'),
  fails: (response) => response.writeHead(500).end('broken'),
  hangs: () => undefined,
  redirects: (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  drips: (response) => {
    const drip = setInterval(() => response.write('.'), 20);
    response.on('close', () => clearInterval(drip));
  },
  mumbles: (response) => response.end('thank you'),
  dropsReply: (response) => response.destroy(),
} as const satisfies Record<string, Answer>;

export interface Stage {
  readonly database: Database;
  readonly store: CallbackStore;
  readonly merchants: MerchantDirectory;
  readonly arrivals: readonly Arrival[];
  readonly events: readonly CallbackEvent[];
  /** The maximum number of concurrent requests that each merchant's server received. */
  readonly mostAtOnce: ReadonlyMap<string, number>;
  /** Adds a merchant, or changes the behaviour of its server. */
  merchant(merchantId: string, answer: Answer, more?: MerchantChange): void;
  /** Commits one callback that is due immediately, and returns it. */
  commitCallback(merchantId: string, callbackId: string): Promise<readonly NewCallback[]>;
  commitCallbacks(callbacks: readonly { merchantId: string; callbackId: string }[]): Promise<readonly NewCallback[]>;
  /** Returns how many lanes workers have claimed so far. */
  claims(): number;
  worker(limits?: Partial<DeliveryLimits>): CallbackDelivery;
  find(merchantId: string, callbackId: string): Promise<CallbackRecord>;
  /** If set, the directory waits for this promise before it responds. */
  directoryDelay: Promise<void> | undefined;
  /** Closes every database connection of the gateway, even busy ones. */
  cutConnections(): Promise<unknown>;
  close(): Promise<void>;
}

export const KEY = 'a-key-of-thirty-two-characters-00';

/** Allows callbacks to this machine. */
const POLICY = { development: true, extraPorts: new Set<number>() };

export async function createStage(clock: Clock): Promise<Stage> {
  const server: TestDatabase = await createTestDatabase();
  const database = openDatabase(server.config, { poolSize: 8 });
  const store = createCallbackStore(database);
  const receivers = createReceivers(clock);
  const origin = await receivers.listen();
  const merchants = new Map<string, MerchantWithKeys>();
  const events: CallbackEvent[] = [];
  const closing: (() => Promise<unknown>)[] = [];
  let claims = 0;
  const commitCallbacks: Stage['commitCallbacks'] = async (callbacks) => {
    const committed = callbacks.map(({ merchantId, callbackId }) => newCallback(merchantId, callbackId, clock.now()));
    await database.transaction((transaction) => insertCallbacks(transaction, committed));
    return committed;
  };

  const stage: Stage = {
    database,
    store,
    merchants: {
      async find(merchantId) {
        await stage.directoryDelay;
        return merchants.get(merchantId);
      },
      keyUsed: () => undefined,
    },
    arrivals: receivers.arrivals,
    events,
    mostAtOnce: receivers.mostAtOnce,
    directoryDelay: undefined,
    claims: () => claims,
    merchant(merchantId, answer, more = {}) {
      receivers.answers.set(merchantId, answer);
      merchants.set(merchantId, withKey(merchantNamed(merchantId, { processUrl: `${origin}/${merchantId}`, ...more })));
    },
    commitCallback: (merchantId, callbackId) => commitCallbacks([{ merchantId, callbackId }]),
    commitCallbacks,
    worker(limits = {}) {
      const transport = createHttpCallbackTransport({ policy: POLICY, mode: 'live', clock });
      const store = createLaneStore(database, clock);
      const delivery = createCallbackDelivery({
        store: {
          ...store,
          async claim(claim) {
            const lanes = await store.claim(claim);
            claims += lanes.length;
            return lanes;
          },
        },
        transport,
        clock,
        limits,
        random: createSeededRandom('delivery'),
        directory: stage.merchants,
        onEvent: (event) => events.push(event),
        clockIsRight: async () => true,
      });
      closing.push(async () => {
        await delivery.stop();
        await store.drain();
        await transport.close();
      });
      delivery.start();
      return delivery;
    },
    async find(merchantId, callbackId) {
      const record = await store.find({ merchantId, callbackId });
      invariant(record, 'the callback exists');
      return record;
    },
    cutConnections: () =>
      server.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      ),
    async close() {
      receivers.close();
      await Promise.all(closing.map((close) => close()));
      await database.close();
      await server.close();
    },
  };
  return stage;
}

function newCallback(merchantId: string, callbackId: string, createdAt: number): NewCallback {
  const payload = { merchant: merchantId, payout_id: callbackId, status: 'Success' };
  return { merchantId, callbackId, subject: 'payout', subjectId: callbackId, payload, state: 'due', createdAt };
}

function withKey(merchant: Merchant): MerchantWithKeys {
  return { merchant, keys: keysByPurpose([testKey(KEY, { firstUsedAt: 0 })]) };
}

/** Starts one server for all merchants. The path identifies the merchant. */
function createReceivers(clock: Clock) {
  const answers = new Map<string, Answer>();
  const arrivals: Arrival[] = [];
  const atOnce = new Map<string, number>();
  const mostAtOnce = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const merchantId = (request.url ?? '').slice(1);
    const now = (atOnce.get(merchantId) ?? 0) + 1;
    atOnce.set(merchantId, now);
    mostAtOnce.set(merchantId, Math.max(now, mostAtOnce.get(merchantId) ?? 0));
    response.on('close', () => atOnce.set(merchantId, (atOnce.get(merchantId) ?? 0) - 1));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const arrival = {
      merchantId,
      id: String(request.headers['webhook-id']),
      at: clock.now(),
      body,
      headers: request.headers,
    };
    arrivals.push(arrival);
    answers.get(merchantId)?.(response, arrival);
  });
  return {
    answers,
    arrivals,
    mostAtOnce,
    listen: () =>
      new Promise<string>((resolve) =>
        server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)),
      ),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Enough real time for a worker that was woken to send its due callbacks. */
export const aMoment = () => new Promise((resolve) => setTimeout(resolve, 60));

/**
 * The setup for tests that kill a gateway during payouts: a database, the simulator of every payout provider, and gateways in
 * separate processes. Every relevant connection runs through a relay that can hold it.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PayoutRecord } from '../../../src/domain/payouts/payout-record-store.ts';
import type { Route } from '../../../src/domain/routing/route-store.ts';
import type { Currency } from '../../../src/foundation/currency.ts';
import { formatAmount } from '../../../src/foundation/money.ts';
import type { Gateway, GatewayOptions } from '../../../src/main/compose/compose.ts';
import type { EnvironmentVariables } from '../../../src/main/config/config.ts';
import { QUICK_PACE } from '../gateway/gateway-process.ts';
import { addMerchant, freePort, verifyBooks } from '../gateway/running-gateway.ts';
import type { TestMerchant } from '../merchants/test-merchant.ts';
import { createTestDatabase } from '../postgres/postgres.ts';
import {
  type BookLine,
  type NamedPayout,
  PAYOUT_PROVIDERS,
  PAYOUT_RAIL_NAMES,
  type PayoutProvider,
  type PayoutRailName,
  standsInBook,
  startPayoutProvider,
} from '../rails/payout-providers.ts';
import { assertGenuine, type CallbackReceiver, startCallbackReceiver } from '../servers/callback-receiver.ts';
import { type HeldRelay, startHeldRelay } from '../servers/held-relay.ts';
import { until } from '../tools/until.ts';
import { EXAMPLE_PAYOUTS, type RequestFields } from './payout-request.ts';
import { openOffice } from './stress-scene.ts';

type ByRail<Value> = Readonly<Record<PayoutRailName, Value>>;

/** The state of a payout at the gateway, the providers and the merchant. */
export interface PayoutStanding {
  /** `success`, or the stage in which the payout waits: `queued`, `sending`, `at_bank`, `unknown`. */
  readonly at: string;
  /** The rail that carries the payout. */
  readonly rail: string;
  /** The distinct outcomes of all attempts but the last. An attempt that wakes up too late is not sent, and is repeated. */
  readonly before: readonly string[];
  /** How often all providers together accepted it, and how often they paid it. */
  readonly taken: number;
  readonly paid: number;
  /** The distinct callbacks of its merchant, the remaining balance and the reserved money. */
  readonly callbacks: readonly string[];
  readonly available: string;
  readonly reserved: string;
}

/**
 * On a busy machine the deadline of any attempt can pass before it is sent. The provider then never receives it. `taken` and
 * `paid` count every attempt that the provider received.
 */
export function isAsExpected(now: PayoutStanding, end: PayoutStanding): boolean {
  const before = now.before.filter((outcome) => outcome !== 'not_accepted' || end.before.includes(outcome));
  return JSON.stringify({ ...now, before }) === JSON.stringify(end);
}

/** True for a final payout whose callbacks have arrived, because it can no longer change. */
export function isOverFor(now: PayoutStanding, end: PayoutStanding): boolean {
  return ['success', 'blocked'].includes(now.at) && now.callbacks.length >= end.callbacks.length;
}

export interface KilledPayout {
  readonly payoutId: string;
  /** Each payout has a different merchant. */
  readonly merchantId: string;
  send(): Promise<void>;
  /** Returns one name per rail on which an attempt has begun. */
  names(): Promise<readonly NamedPayout[]>;
  /** Waits until the payout is in this stage. */
  reaches(stage: 'at_bank' | 'unknown'): Promise<void>;
  stands(books: ByRail<readonly BookLine[]>): Promise<PayoutStanding>;
}

export interface PayoutKillScene {
  /** The environment of each gateway process. */
  readonly variables: EnvironmentVariables;
  /** The connections from the providers to the gateway, and from the gateway to its database. */
  readonly routes: Readonly<Record<'notification' | 'database', HeldRelay>>;
  /** The connections from the gateway to each provider. */
  readonly calls: ByRail<HeldRelay>;
  readonly providers: ByRail<PayoutProvider>;
  /** Prepares a payout of 10.00 for a merchant with 100.00, without sending it. */
  payout(rail: PayoutRailName, method: number, change?: RequestFields): Promise<KilledPayout>;
  /** Returns the names of all payouts so far. */
  names(): Promise<readonly NamedPayout[]>;
  books(): Promise<ByRail<readonly BookLine[]>>;
  /** Returns the ids of the payouts that are not final. */
  pending(): Promise<ReadonlySet<string>>;
  /** Rejects if the books do not balance. */
  verify(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A held call must not time out before the kill, and the gateway must query a waiting payout after its provider's notification
 * is due.
 */
const KILL_PACE = {
  ...QUICK_PACE,
  rail: { timeoutMs: 12_000, notFoundProofMs: 1_000, askAfterMs: [14_000, 2_000] },
} as const satisfies GatewayOptions['pace'];

/** Visa's payouts have no second rail here; Mastercard's may go to Adyen. */
const VISA_ALONE: Route = {
  method: 22,
  merchantId: null,
  rail: 'visa-direct',
  rank: 1,
  weight: null,
  minAmount: null,
  maxAmount: null,
  costFixed: 0n,
  costPercent: 0n,
};

export async function openPayoutKillScene(): Promise<PayoutKillScene> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-payout-kills-'));
  const port = await freePort();
  const database = await createTestDatabase();
  const receiver = await startCallbackReceiver();
  const { host, port: socket, user, database: name } = database.config;
  const routes = {
    notification: await startHeldRelay(() => ({ host: '127.0.0.1', port })),
    database: await startHeldRelay(() => ({ path: `${host}/.s.PGSQL.${socket}` })),
  };
  const gatewayUrl = `http://127.0.0.1:${routes.notification.port}`;
  const surroundings = { notifications: `${gatewayUrl}/rail-notifications`, folder };
  const providers = await byRail((rail) =>
    startPayoutProvider(rail, surroundings, {
      delays: PAYOUT_PROVIDERS[rail].killDelays,
      usual: PAYOUT_PROVIDERS[rail].quiet,
    }),
  );
  const calls = await byRail((rail) => holdCalls(providers[rail]));
  const variables = {
    ...Object.assign({}, ...PAYOUT_RAIL_NAMES.map((rail) => variablesOf(rail, providers[rail], calls[rail]))),
    DATABASE_URL: `postgresql://${user}@127.0.0.1:${routes.database.port}/${name}`,
    // Each held connection is unavailable to others.
    DATABASE_POOL_SIZE: '30',
    PORT: String(port),
    PUBLIC_URL: gatewayUrl,
    // No other rail may carry a payout that one of these rails did not accept.
    STAND_IN_BANK_URL: '',
    TEST_PACE: JSON.stringify(KILL_PACE),
  };
  const office = await openOffice({ ...variables, DATABASE_URL: database.connectionString });
  assert((await office.operations.routes.set(VISA_ALONE)).ok);
  const payouts: KilledPayout[] = [];
  let count = 0;
  return {
    variables,
    routes,
    calls,
    providers,
    async payout(rail, method, change = {}) {
      const payoutId = `k${String(++count).padStart(3, '0')}`;
      const currency = EXAMPLE_PAYOUTS[method]?.['currency'] as Currency;
      const { operations } = office;
      const url = () => `http://127.0.0.1:${port}`;
      const funds = { [currency]: '100.00' };
      const merchant = await addMerchant(operations, receiver, url, `m${payoutId}`, { funds });
      // VoPay holds a second transfer with the same amount to the same address.
      const own = rail === 'vopay' ? { account: `${payoutId}@example.com` } : {};
      const payout = createPayout(
        { operations, receiver, merchant, method, currency, payoutId },
        { ...own, ...change },
      );
      payouts.push(payout);
      return payout;
    },
    async names() {
      return (await Promise.all(payouts.map((payout) => payout.names()))).flat();
    },
    books: () => byRail((rail) => providers[rail].book()),
    async pending() {
      const { rows } = await database.pool.query<{ id: string }>(
        `select payout_id as id from payouts where state = 'pending'`,
      );
      return new Set(rows.map(({ id }) => id));
    },
    verify: () => verifyBooks(office.operations),
    async close() {
      await office.close();
      for (const rail of PAYOUT_RAIL_NAMES) await providers[rail].close();
      await receiver.close();
      for (const relay of [...Object.values(routes), ...Object.values(calls)]) await relay.close();
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function byRail<Value>(make: (rail: PayoutRailName) => Promise<Value>): Promise<ByRail<Value>> {
  const made = await Promise.all(PAYOUT_RAIL_NAMES.map(async (rail) => [rail, await make(rail)] as const));
  return Object.fromEntries(made) as Record<PayoutRailName, Value>;
}

function holdCalls({ url }: PayoutProvider): Promise<HeldRelay> {
  const { hostname, port } = new URL(url);
  return startHeldRelay(() => ({ host: hostname, port: Number(port) }));
}

function variablesOf(rail: PayoutRailName, { url, variables }: PayoutProvider, relay: HeldRelay): EnvironmentVariables {
  const through = new URL(url);
  through.port = String(relay.port);
  return { ...variables, [PAYOUT_PROVIDERS[rail].address]: through.href.replace(/\/$/, '') };
}

interface PayoutParts {
  readonly operations: Gateway['operations'];
  readonly receiver: CallbackReceiver;
  readonly merchant: TestMerchant;
  readonly method: number;
  readonly currency: Currency;
  readonly payoutId: string;
}

function createPayout(parts: PayoutParts, change: RequestFields): KilledPayout {
  const { operations, merchant, method, currency, payoutId } = parts;
  const record = () => operations.payouts.find({ merchantId: merchant.id, payoutId });
  return {
    payoutId,
    merchantId: merchant.id,
    async send() {
      const { status, description } = await merchant.pay(method, payoutId, change);
      assert.equal(status, 'Pending', description);
    },
    reaches: (stage) =>
      until(`${merchant.id}/${payoutId} is ${stage}`, async () => (await record())?.job?.stage === stage).then(
        () => {},
      ),
    async names() {
      const found = await record();
      return found ? namesOf(found) : [];
    },
    async stands(books) {
      const found = await record();
      assert(found, `${merchant.id}/${payoutId} was accepted and is lost`);
      const names = namesOf(found);
      const { balances } = (await operations.merchants.find(merchant.id)) ?? {};
      const account = (name: 'available' | 'reserved') =>
        formatAmount({ currency, minor: balances?.get(currency)?.[name] ?? 0n });
      const all = PAYOUT_RAIL_NAMES.flatMap((rail) => names.map((name) => standsInBook(rail, books[rail], name)));
      return {
        at: found.job?.stage ?? found.payout.state,
        rail: found.payout.rail,
        before: [...new Set(found.attempts.slice(0, -1).map(({ outcome }) => outcome ?? 'open'))],
        taken: all.reduce((sum, { taken }) => sum + taken, 0),
        paid: all.reduce((sum, { paid }) => sum + paid, 0),
        callbacks: callbacksOf(parts),
        available: account('available'),
        reserved: account('reserved'),
      };
    },
  };
}

/** Returns an empty list before the first attempt, when no bank can know the payout. */
function namesOf({ payout, attempts }: PayoutRecord): readonly NamedPayout[] {
  const byRail = new Map(attempts.map(({ rail, reference }) => [rail, reference]));
  for (const { rail, reference } of attempts)
    assert.equal(reference, byRail.get(rail), `${payout.payoutId}: all attempts use one reference at ${rail}`);
  return [...byRail.values()].map((reference) => ({ reference }));
}

/** Returns the callbacks by their webhook ids. All copies of one must be equal. */
function callbacksOf({ receiver, merchant, currency, payoutId }: PayoutParts): readonly string[] {
  const byId = new Map<string, string>();
  const words = new Map<string, string>();
  for (const arrival of receiver.about(merchant.id, payoutId)) {
    assertGenuine(arrival, merchant.key);
    const { status, amount } = arrival.fields;
    const id = String(arrival.headers['webhook-id']);
    assert.equal(byId.get(id) ?? arrival.body, arrival.body, id);
    byId.set(id, arrival.body);
    words.set(id, `${status} ${amount} ${arrival.fields['currency'] === currency ? '' : 'in another currency'}`.trim());
  }
  const events = receiver.about(merchant.id, payoutId, 'event').map(({ fields }) => String(fields['type']));
  return [...words.values(), ...events];
}

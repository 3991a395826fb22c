/**
 * The setup for fault tests of deposits: a database, STP's simulator, a callback receiver and merchants. Every connection of
 * the gateway runs through a relay that can hold it. The checks afterwards take STP's book as the truth.
 */
import assert from 'node:assert/strict';
import type pg from 'pg';
import type { EnvironmentVariables } from '../../../src/main/config/config.ts';
import { addMerchant, freePort, verifyBooks } from '../gateway/running-gateway.ts';
import type { TestMerchant } from '../merchants/test-merchant.ts';
import { openOffice } from '../payouts/stress-scene.ts';
import { createTestDatabase, type TestDatabase } from '../postgres/postgres.ts';
import { type StpEntry, type StpUnderControl, startStpUnderControl } from '../rails/stp-under-control.ts';
import { assertGenuine, type CallbackReceiver, startCallbackReceiver } from '../servers/callback-receiver.ts';
import { type HeldRelay, startHeldRelay } from '../servers/held-relay.ts';
import { until } from '../tools/until.ts';

/** The connections from STP to the gateway, and from the gateway to its database, to STP's list and to a merchant. */
export type Route = 'notification' | 'database' | 'list' | 'callback';

export interface DepositScene {
  /** The environment of each gateway process. */
  readonly variables: EnvironmentVariables;
  /** The environment of a gateway whose list queries fail, so that it has only STP's notifications. */
  readonly variablesWithoutLists: EnvironmentVariables;
  readonly routes: Readonly<Record<Route, HeldRelay>>;
  readonly stp: StpUnderControl;
  /** Every second merchant has `mismatch_policy` = `credit`. None pays fees. */
  readonly merchants: readonly TestMerchant[];
  /** Returns the number of transfers to this CLABE in the database. */
  kept(clabe: string): Promise<number>;
  /** Waits until STP has the gateway's confirmation of the transfer with this tracking key. */
  confirmed(claveRastreo: string): Promise<void>;
  /** Rejects unless the outcome of every deposit is correct. Returns the number of paid deposits. A gateway must be running. */
  judge(): Promise<number>;
  close(): Promise<void>;
}

export async function openDepositScene(merchantCount: number): Promise<DepositScene> {
  const port = await freePort();
  const database = await createTestDatabase();
  const receiver = await startCallbackReceiver();
  const localhost = (of: number) => ({ host: '127.0.0.1', port: of });
  const portOf = (url: string) => Number(new URL(url).port);
  const notification = await startHeldRelay(() => localhost(port));
  const stp = await startStpUnderControl(`http://127.0.0.1:${notification.port}/rail-notifications/stp`);
  const { host, port: socket } = database.config;
  const routes = {
    notification,
    database: await startHeldRelay(() => ({ path: `${host}/.s.PGSQL.${socket}` })),
    list: await startHeldRelay(() => localhost(portOf(stp.url))),
    callback: await startHeldRelay(() => localhost(portOf(receiver.url('')))),
  };
  const variables = {
    ...stp.variables,
    DATABASE_URL: relayedDatabase(database, routes.database.port),
    PORT: String(port),
    STP_URL: `http://127.0.0.1:${routes.list.port}`,
  };
  const relayed = { ...receiver, url: relayedUrls(receiver, routes.callback.port) };
  const merchants = await addMerchants(variables, relayed, `http://127.0.0.1:${port}`, merchantCount);
  const { pool } = database;
  return {
    variables,
    variablesWithoutLists: { ...variables, STP_URL: `http://127.0.0.1:${await freePort()}` },
    routes,
    stp,
    merchants,
    async kept(clabe) {
      const { rows } = await pool.query('select count(*)::int as kept from incoming_transfers where pay_to = $1', [
        clabe,
      ]);
      return rows[0].kept;
    },
    confirmed: (claveRastreo) =>
      until(`STP has an answer about ${claveRastreo}`, async () =>
        (await stp.received()).some((entry) => entry.claveRastreo === claveRastreo && entry.estado === 'CCO'),
      ).then(() => undefined),
    judge: () => judge({ pool, stp, receiver, merchants, variables }),
    async close() {
      await stp.close();
      await receiver.close();
      for (const relay of Object.values(routes)) await relay.close();
      await database.close();
    },
  };
}

function relayedDatabase({ config }: TestDatabase, port: number): string {
  return `postgresql://${config.user}@127.0.0.1:${port}/${config.database}`;
}

function relayedUrls(receiver: CallbackReceiver, port: number): CallbackReceiver['url'] {
  return (merchant, kind) => Object.assign(new URL(receiver.url(merchant, kind)), { port: String(port) }).href;
}

async function addMerchants(
  variables: EnvironmentVariables,
  receiver: CallbackReceiver,
  url: string,
  count: number,
): Promise<TestMerchant[]> {
  const office = await openOffice(variables);
  const merchants: TestMerchant[] = [];
  for (let index = 0; index < count; index++) {
    const settings = { mismatch_policy: index % 2 === 0 ? 'hold' : 'credit' };
    merchants.push(await addMerchant(office.operations, receiver, () => url, `S${index}`, { settings, funds: {} }));
  }
  await office.close();
  return merchants;
}

type Evidence = Pick<DepositScene, 'stp' | 'merchants' | 'variables'> & {
  readonly pool: pg.Pool;
  readonly receiver: CallbackReceiver;
};

interface TransferRow {
  readonly merchant_id: string;
  readonly tracking_key: string;
  readonly pay_to: string;
  /** The amount in minor units. */
  readonly amount: string;
  readonly state: string;
}

interface DepositRow {
  readonly merchant_id: string;
  readonly order_id: string;
  readonly pay_to: string;
  readonly state: string;
}

async function judge(evidence: Evidence): Promise<number> {
  const { pool, stp, variables } = evidence;
  const received = await untilQuiet(stp, pool);
  const { rows: transfers } = await pool.query<TransferRow>(
    `select merchant_id, originator->>'trackingKey' as tracking_key, pay_to, amount::text, state from incoming_transfers`,
  );
  const describe = (key: string, payTo: string, minor: bigint) => `${key} ${payTo} ${minor}`;
  assert.deepEqual(
    transfers.map(({ tracking_key, pay_to, amount }) => describe(tracking_key, pay_to, BigInt(amount))).sort(),
    received
      .map((entry) => describe(entry.claveRastreo, entry.cuentaBeneficiario, BigInt(entry.monto.replace('.', ''))))
      .sort(),
    'each transfer that STP received is recorded once',
  );
  await assertBalances(pool, transfers);
  const { rows: deposits } = await pool.query<DepositRow>('select merchant_id, order_id, pay_to, state from deposits');
  const paid = new Set(transfers.filter(({ state }) => state === 'credited').map(({ pay_to }) => pay_to));
  for (const { order_id, pay_to, state } of deposits) {
    assert.equal(state, paid.has(pay_to) ? 'success' : 'pending', order_id);
  }
  assertCalledBackOnce(deposits, evidence);
  const office = await openOffice(variables);
  await verifyBooks(office.operations).finally(() => office.close());
  return paid.size;
}

/** Resolves to STP's book once STP has every response, every transfer is recorded and every callback is delivered. */
async function untilQuiet(stp: StpUnderControl, pool: pg.Pool): Promise<readonly StpEntry[]> {
  const count = `select (select count(*)::int from incoming_transfers) as recorded,
    (select count(*)::int from callbacks where state = 'due') as due`;
  let last: unknown;
  return until('STP has every answer, and every callback is delivered', async () => {
    const received = await stp.received();
    const unanswered = received.filter(({ notification, estado }) => notification !== 'none' && estado !== 'CCO');
    const { rows } = await pool.query(count);
    last = { received: received.length, unanswered: unanswered.length, ...rows[0] };
    return rows[0].recorded >= received.length && unanswered.length === 0 && rows[0].due === 0 && received;
  }).catch((error: Error) => {
    throw new Error(`${error.message}; at the end: ${JSON.stringify(last)}`);
  });
}

async function assertBalances(pool: pg.Pool, transfers: readonly TransferRow[]): Promise<void> {
  const sums = new Map<string, bigint>();
  for (const { merchant_id, state, amount } of transfers) {
    const account = `${merchant_id} ${state === 'credited' ? 'available' : 'suspense'}`;
    sums.set(account, (sums.get(account) ?? 0n) + BigInt(amount));
  }
  const { rows } = await pool.query<{ name: string; balance: string }>(
    `select merchant_id || ' ' || account as name, balance::text from ledger_accounts
     where currency = 'MXN' and account in ('available', 'suspense', 'fees')`,
  );
  const balances = new Map(rows.map(({ name, balance }) => [name, BigInt(balance)]));
  const inOrder = (map: Map<string, bigint>) => [...map].filter(([, sum]) => sum !== 0n).sort();
  assert.deepEqual(inOrder(balances), inOrder(sums));
}

/** Each paid deposit must have at least one callback, all with one id and equal bodies. Other deposits must have none. */
function assertCalledBackOnce(deposits: readonly DepositRow[], { receiver, merchants }: Evidence): void {
  const keys = new Map(merchants.map(({ id, key }) => [id, key]));
  for (const { merchant_id, order_id, state } of deposits) {
    const arrivals = receiver.about(merchant_id, order_id);
    const ids = new Set(arrivals.map(({ headers }) => headers['webhook-id']));
    const bodies = new Set(arrivals.map(({ body }) => body));
    const times = state === 'success' ? 1 : 0;
    assert.deepEqual([ids.size, bodies.size], [times, times], `${order_id} is ${state}`);
    const [arrival] = arrivals;
    if (!arrival) continue;
    assert.equal(arrival.fields['co_inv_st'], 'success');
    assertGenuine(arrival, keys.get(merchant_id) ?? '');
  }
}

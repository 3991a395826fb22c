/**
 * The setup for fault tests of payouts: a database, a bank that executes a repeated reference twice, callback receivers, and
 * merchants with money. The checks afterwards compare all books.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Gateway, openGateway } from '../../../src/main/compose/compose.ts';
import type { EnvironmentVariables } from '../../../src/main/config/config.ts';
import { QUICK_PACE } from '../gateway/gateway-process.ts';
import { addMerchant, configOf, freePort, verifyBooks } from '../gateway/running-gateway.ts';
import type { TestMerchant } from '../merchants/test-merchant.ts';
import { type Attempts, assertExecutedOnce, type BankUnderControl, startBank } from '../rails/bank-under-control.ts';
import { assertGenuine, type CallbackReceiver, startCallbackReceiver } from '../servers/callback-receiver.ts';
import type { Acknowledged } from './payout-load.ts';

export interface StressScene {
  /** The environment of each gateway process. The bank calls `PORT`. */
  readonly variables: EnvironmentVariables;
  readonly bank: BankUnderControl;
  readonly receiver: CallbackReceiver;
  readonly merchants: readonly TestMerchant[];
  /** Rejects unless the outcome of every payout is correct. A gateway must be running. */
  judge(acknowledged: readonly Acknowledged[]): Promise<void>;
  close(): Promise<void>;
}

const MERCHANTS = 3;
/** Longer than a minute: that is when a callback repeats whose first attempt was in flight as its gateway stopped. */
const NOTHING_ENDS_FOR_MS = 90_000;
const LOOK_EVERY_MS = 250;

/** The gateway queries a payout without a response at about the time of the bank's notification, so either may come first. */
const BANK_DELAYS = { notifyMs: QUICK_PACE.rail.timeoutMs + QUICK_PACE.rail.askAfterMs[0] };

/** `connection` points to the same database as `database`, for the checks. */
export async function openStressScene(
  database: EnvironmentVariables,
  connection: pg.ClientConfig,
): Promise<StressScene> {
  const port = await freePort();
  const receiver = await startCallbackReceiver();
  const bank = await startBank({ query: (text) => queryOnce(connection, text) }, BANK_DELAYS);
  await bank.faults({ dedupe: false });
  const ownUrl = `http://127.0.0.1:${port}`;
  const variables = { ...database, PORT: String(port), PUBLIC_URL: ownUrl, WAYFORPAY_URL: bank.url };
  const office = await openOffice(variables);
  const merchants: TestMerchant[] = [];
  for (let index = 1; index <= MERCHANTS; index++) {
    merchants.push(await addMerchant(office.operations, receiver, () => ownUrl, `S${index}`, {}));
  }
  await office.close();
  return {
    variables,
    bank,
    receiver,
    merchants,
    judge: (acknowledged) => judge({ variables, connection, bank, receiver, merchants }, acknowledged),
    async close() {
      await bank.close();
      await receiver.close();
    },
  };
}

/** Opens a gateway without listeners, for the operator's commands on the same database. */
export function openOffice(variables: EnvironmentVariables): Promise<Gateway> {
  return openGateway(configOf(variables), { logTo: { write: () => {} }, pace: QUICK_PACE });
}

type Evidence = Pick<StressScene, 'variables' | 'bank' | 'receiver' | 'merchants'> & {
  readonly connection: pg.ClientConfig;
};

interface PayoutRow {
  readonly key: string;
  readonly merchant_id: string;
  readonly payout_id: string;
  readonly state: string;
  readonly currency: string;
}

async function judge(evidence: Evidence, acknowledged: readonly Acknowledged[]): Promise<void> {
  const client = new pg.Client(evidence.connection);
  await client.connect();
  try {
    await untilQuiet(client);
    const { rows } = await client.query<PayoutRow>(
      `select merchant_id || '/' || payout_id as key, merchant_id, payout_id, state, currency from payouts`,
    );
    assertNothingLost(rows, acknowledged);
    await assertPaidOnce(rows, evidence.bank);
    assertCalledBackOnce(rows, evidence);
  } finally {
    await client.end();
  }
  const office = await openOffice(evidence.variables);
  await verifyBooks(office.operations).finally(() => office.close());
}

/** Opens a new connection, because the test may have cut older connections. */
async function queryOnce(connection: pg.ClientConfig, text: string): ReturnType<Attempts['query']> {
  const client = new pg.Client(connection);
  await client.connect();
  return client.query(text).finally(() => client.end());
}

/** Waits while payouts still complete, because the number of open payouts depends on the load. */
async function untilQuiet(client: pg.Client): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  let lessSince = Date.now();
  for (;;) {
    const left = await countOpen(client);
    if (left === 0) return;
    if (left < least) {
      least = left;
      lessSince = Date.now();
    }
    if (Date.now() - lessSince > NOTHING_ENDS_FOR_MS)
      throw new Error(
        `${left} payouts and callbacks do not end, among them: ${JSON.stringify(await someOpen(client))}`,
      );
    await sleep(LOOK_EVERY_MS);
  }
}

async function countOpen(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ open: number }>(
    `select ((select count(*) from payouts where state = 'pending') + (select count(*) from callbacks where state = 'due'))::int as open`,
  );
  return rows[0]?.open ?? 0;
}

async function someOpen(client: pg.Client): Promise<unknown[]> {
  const { rows } = await client.query(
    `select 'payout' as what, p.payout_id as id, p.amount_text as detail, j.stage || ' ' || j.note as state
       from payouts as p left join payout_jobs as j using (merchant_id, payout_id) where p.state = 'pending'
     union all select 'callback', callback_id, subject_id, attempts::text from callbacks where state = 'due' limit 5`,
  );
  return rows;
}

function assertNothingLost(rows: readonly PayoutRow[], acknowledged: readonly Acknowledged[]): void {
  const kept = new Map(rows.map((row) => [row.key, row.state]));
  const said: Readonly<Record<string, string>> = { Success: 'success', Blocked: 'blocked' };
  for (const { merchant, payoutId, reply } of acknowledged) {
    const state = kept.get(`${merchant.id}/${payoutId}`);
    assert(state, `${payoutId} was acknowledged and is lost`);
    const final = said[reply['status'] ?? ''];
    if (final) assert.equal(state, final, `${payoutId} left its reported final state`);
  }
}

/** The bank must have executed each payout in state success exactly once, and no other payout. */
async function assertPaidOnce(rows: readonly PayoutRow[], bank: BankUnderControl): Promise<void> {
  await assertExecutedOnce(bank);
  const paid = rows.filter((row) => row.state === 'success' && row.currency !== 'TST').map(({ key }) => key);
  assert.deepEqual([...(await bank.executions()).keys()].sort(), paid.sort());
}

/** Each payout must have at least one callback, all with one id and equal bodies. */
function assertCalledBackOnce(rows: readonly PayoutRow[], { receiver, merchants }: Evidence): void {
  const keys = new Map(merchants.map(({ id, key }) => [id, key]));
  const status: Readonly<Record<string, string>> = { success: 'Success', blocked: 'Blocked' };
  for (const row of rows) {
    const arrivals = receiver.about(row.merchant_id, row.payout_id);
    assert(arrivals[0], `the gateway never called back about ${row.key}`);
    assert.equal(new Set(arrivals.map(({ headers }) => headers['webhook-id'])).size, 1, row.key);
    assert.equal(new Set(arrivals.map(({ body }) => body)).size, 1, row.key);
    assert.equal(arrivals[0].fields['status'], status[row.state]);
    assertGenuine(arrivals[0], keys.get(row.merchant_id) ?? '');
  }
}

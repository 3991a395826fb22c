/** The database is unreachable for two seconds, as in a failover, while merchants send signed requests to every API. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startGateway } from '../../support/gateway/running-gateway.ts';
import { signedForm, type TestMerchant } from '../../support/merchants/test-merchant.ts';
import { post } from '../../support/payouts/payout-request.ts';
import { createTestDatabase } from '../../support/postgres/postgres.ts';
import { startStpUnderControl } from '../../support/rails/stp-under-control.ts';
import { startHeldRelay } from '../../support/servers/held-relay.ts';
import { until } from '../../support/tools/until.ts';

const AWAY_MS = 2_000;
const AROUND_MS = 700;
const PAUSE_MS = 15;

/** The form offers an e-Transfer that no payer chooses. */
const VOPAY = { VOPAY_URL: 'http://127.0.0.1:9', VOPAY_ACCOUNT_ID: 'a', VOPAY_KEY: 'b', VOPAY_SHARED_SECRET: 'c' };

interface Sent {
  readonly wire: string;
  readonly id: string;
  readonly status: number;
  readonly text: string;
  readonly tookMs: number;
}

test('requests on every wire get slow responses but never a 5xx when the database is unreachable for two seconds', async () => {
  const database = await createTestDatabase();
  let isAway = false;
  const door = await startHeldRelay(() => ({
    path: `${database.config.host}/.s.PGSQL.${isAway ? 'nobody' : database.config.port}`,
  }));
  const stp = await startStpUnderControl('http://127.0.0.1:9/');
  const { user, database: name } = database.config;
  const url = `postgresql://${user}@127.0.0.1:${door.port}/${name}`;
  const gateway = await startGateway({ database, variables: { ...stp.variables, ...VOPAY, DATABASE_URL: url } });
  const merchants = [await gateway.merchant(), await gateway.merchant()];
  const sent: Sent[] = [];
  let isOver = false;
  const running = merchants.flatMap((merchant) =>
    Object.entries(WIRES).map(async ([wire, send]) => {
      for (let count = 0; !isOver; count++) {
        const id = `${wire}-${merchant.id}-${count}`;
        const startedAt = performance.now();
        const { status, text } = await send(merchant, id, gateway.url);
        sent.push({ wire, id, status, text, tookMs: performance.now() - startedAt });
        await sleep(PAUSE_MS);
      }
    }),
  );
  try {
    await sleep(AROUND_MS);
    isAway = true;
    const ended = await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
    assert(ended.rowCount);
    await sleep(AWAY_MS);
    isAway = false;
    await sleep(AROUND_MS);
    const isAccepted = (wire: string) => acceptedIds(sent, wire).length > 2;
    await until('each wire has accepted requests', () => Object.keys(KEPT).every(isAccepted));
    isOver = true;
    await Promise.all(running);
    assertAnswered(sent, gateway.log);
    await assertKeptOnce(database.pool, sent);
    await until('every payout ended', async () => {
      const { rowCount } = await database.pool.query(`select from payouts where state = 'pending'`);
      return rowCount === 0;
    });
    await gateway.verify();
  } finally {
    isOver = true;
    await Promise.allSettled(running);
    await gateway.stop();
    await stp.close();
    await door.close();
    await database.close();
  }
});

type Send = (merchant: TestMerchant, id: string, url: string) => Promise<{ status: number; text: string }>;

const WIRES: Readonly<Record<'payout' | 'question' | 'deposit' | 'form', Send>> = {
  payout: (merchant, id, url) => post(`${url}/merchant/api/payout_send`, merchant.request(1, id, { amount: '10.00' })),
  question: async (merchant) => {
    const asked = await merchant.status('never-sent').then(
      (reply) => ({ status: 200, text: JSON.stringify(reply) }),
      (error: Error) => ({ status: 500, text: error.message }),
    );
    return asked;
  },
  deposit: (merchant, id) => merchant.requestDeposit(id),
  form: async (merchant, id, url) => {
    const payer = { first_name: 'Ann', last_name: 'Lee', email: 'ann@example.com', country: 'CA', item_name: 'Tea' };
    const fields = { merchant: merchant.id, order: id, amount: '10.00', currency: 'CAD', ...payer };
    const response = await fetch(url + signedForm(fields, merchant.formKey), { redirect: 'manual' });
    return { status: response.status, text: await response.text() };
  },
};

function assertAnswered(sent: readonly Sent[], log: readonly string[]): void {
  const failed = sent.filter(({ status }) => status >= 500);
  const problems = log.filter((line) => /"level":"?(?:error|50)/.test(line)).slice(0, 5);
  assert.deepEqual(failed.slice(0, 5), [], `${failed.length} of ${sent.length} requests failed: ${problems.join('')}`);
  for (const wire of Object.keys(WIRES)) {
    const slowest = Math.max(...sent.filter((one) => one.wire === wire).map(({ tookMs }) => tookMs));
    assert(slowest > AWAY_MS / 2, `${wire}: no request met the outage; the slowest took ${slowest} ms`);
  }
}

const KEPT = {
  payout: 'select payout_id as id from payouts',
  deposit: 'select order_id as id from deposits',
  form: 'select order_id as id from form_sessions',
};

function acceptedIds(sent: readonly Sent[], wire: string): string[] {
  return sent.filter((one) => one.wire === wire && one.status < 400).map(({ id }) => id);
}

/** Asserts that each accepted request is in the database exactly once. */
async function assertKeptOnce(pool: Awaited<ReturnType<typeof createTestDatabase>>['pool'], sent: readonly Sent[]) {
  for (const [wire, query] of Object.entries(KEPT)) {
    const { rows } = await pool.query<{ id: string }>(`${query} order by 1`);
    assert.deepEqual(
      rows.map(({ id }) => id),
      acceptedIds(sent, wire).sort(),
      wire,
    );
  }
}

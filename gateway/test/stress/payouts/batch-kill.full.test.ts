/**
 * kill -9 of a gateway while it checks and accepts a batch and while it sends an export. Each row must become one payout, and
 * no reader may mistake a partial export for a complete one.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { BatchKey, RowCounts } from '../../../src/domain/batches/batch.ts';
import type { Gateway } from '../../../src/main/compose/compose.ts';
import { startGatewayProcess } from '../../support/gateway/gateway-process.ts';
import { freePort } from '../../support/gateway/running-gateway.ts';
import { openOffice, openStressScene } from '../../support/payouts/stress-scene.ts';
import { createTestDatabase } from '../../support/postgres/postgres.ts';
import { createChoices } from '../../support/tools/seeded.ts';
import { until } from '../../support/tools/until.ts';

const FULL = process.env['TEST_FULL'] !== undefined;
const ROWS = FULL ? 10_000 : 250;
const KILLS = FULL ? 4 : 1;

test('every row of a batch becomes one payout when its gateway is killed during the check and the acceptance', async () => {
  const choices = createChoices('batch kill');
  const database = await createTestDatabase();
  const manageUrl = `http://127.0.0.1:${await freePort()}`;
  const variables = { DATABASE_URL: database.connectionString, MANAGE_PORT: new URL(manageUrl).port };
  const scene = await openStressScene(variables, { connectionString: database.connectionString });
  const office = await openOffice(scene.variables);
  const { batches } = office.operations;
  const merchantId = scene.merchants[0]?.id ?? '';
  let gateway = await startGatewayProcess(scene.variables);
  const client = new pg.Client({ connectionString: database.connectionString });
  await client.connect();

  /** Kills a gateway after a random number of processed rows, and starts the next process. */
  async function killDuring(key: BatchKey, states: readonly (keyof RowCounts)[], end: string): Promise<void> {
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const least = choices.between(Math.floor((ROWS * (kill - 1)) / KILLS), Math.floor((ROWS * kill) / KILLS) - 1);
      while ((await countOf(key, states)) <= least) await sleep(2);
      await gateway.kill();
      gateway = await startGatewayProcess(scene.variables);
    }
    await until(`the batch is ${end}`, async () => (await batches.find(key))?.batch.state === end);
  }
  async function countOf(key: BatchKey, states: readonly string[]): Promise<number> {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from payout_batch_rows where merchant_id = $1 and batch_id = $2 and state = any($3)`,
      [key.merchantId, key.batchId, states],
    );
    return rows[0]?.count ?? 0;
  }

  try {
    const lines = Array.from({ length: ROWS }, (_, row) => {
      const payoutId = row % 2 === 0 ? `B${row}` : '';
      return `${payoutId},1,4111111111111111,${1 + (row % 50)}.00,UAH`;
    });
    const file = Buffer.from(['payout_id,method,account,amount,currency', ...lines].join('\n'));
    const uploaded = await batches.upload({ merchantId, batchId: 'batch-kill', name: 'killed', by: 'the test', file });
    assert.ok(uploaded.ok);
    const key = uploaded.value;
    const exported = await openExport(office, client, manageUrl);
    await killDuring(key, ['ready'], 'ready');
    await exported.judgeBroken();
    assert.equal((await batches.find(key))?.counts.ready, ROWS);
    const actor = { kind: 'token', id: 'T1', name: 'the test' } as const;
    assert.ok(await batches.submit(key, { actor, people: [], mailbox: '', team: null }));
    await killDuring(key, ['accepting', 'accepted'], 'finished');
    assert.equal((await batches.find(key))?.counts.accepted, ROWS);
    const { rows } = await client.query<{ payouts: number; strangers: number; total: string }>(
      `select count(*)::int as payouts, count(*) filter (where r.row is null)::int as strangers, sum(p.amount)::text as total
       from payouts as p left join payout_batch_rows as r on r.merchant_id = p.merchant_id and r.payout_id = p.payout_id
       where p.merchant_id = $1`,
      [merchantId],
    );
    const total = lines.reduce((sum, _, row) => sum + 100 * (1 + (row % 50)), 0);
    assert.deepEqual(rows, [{ payouts: ROWS, strangers: 0, total: String(total) }]);
    assert.equal(await exported.countAgain(), LOGGED);
    await scene.judge([]);
    await gateway.stop();
  } finally {
    await gateway.kill();
    await client.end();
    await office.close();
    await scene.close();
    await database.close();
  }
});

/** So many rows that an export exceeds the buffers between the gateway and a client that stopped reading. */
const LOGGED = 40_000;

async function openExport(office: Gateway, client: pg.Client, manageUrl: string) {
  const issued = await office.operations.tokens.issue({
    name: 'x',
    merchantId: null,
    days: 1,
    scopes: ['requests:read'],
  });
  assert.ok(issued.ok);
  await client.query(
    `insert into logged_requests select 'S2', 'r' || n, date_trunc('milliseconds', now()), 'balance', 'rejected', 'test', repeat('x', 400), 'POST', 200, '127.0.0.1',
       1, null, '{}', '', 0, '', null from generate_series(1, ${LOGGED}) as n`,
  );
  const open = () =>
    fetch(`${manageUrl}/manage/v1/exports/requests?merchantId=S2`, {
      headers: { authorization: `Bearer ${issued.value.secret.reveal()}` },
    });
  const reader = (await open()).body?.getReader();
  assert.ok(reader && !(await reader.read()).done);
  return {
    /** The client sees a broken connection, and the audit log has a start without an end. */
    async judgeBroken() {
      await assert.rejects(async () => {
        while (!(await reader.read()).done);
      });
      const { rows } = await client.query(`select phase from audit_entries where act = 'requests.export'`);
      assert.deepEqual(rows, [{ phase: 'begun' }]);
    },
    async countAgain(): Promise<number> {
      const lines = (await (await open()).text()).trim().split('\r\n');
      assert.equal(new Set(lines).size, lines.length, 'no row twice');
      return lines.length - 1;
    },
  };
}

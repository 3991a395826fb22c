/** The demo’s history: created by the gateway’s own commands, with every outcome, and with books that balance. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { DAY_MS, utcDayOf } from '../../gateway/src/foundation/clock.ts';
import { type Gateway, openGateway } from '../../gateway/src/main/compose/compose.ts';
import { freePort } from '../../gateway/test/support/gateway/running-gateway.ts';
import { createTestDatabase, type TestDatabase } from '../../gateway/test/support/postgres/postgres.ts';
import { openDemoMerchant } from '../src/demo-merchant.ts';
import { readDemoSettings } from '../src/demo-settings.ts';
import { makeHistory } from '../src/history/make-history.ts';
import type { ChargedPayment } from '../src/providers/provider.ts';
import { SIMULATOR_PORTS } from './demo-run.ts';

let database: TestDatabase;
let gateway: Gateway;
/** The full run covers all two weeks. */
const DAYS = process.env['TEST_FULL'] ? 14 : 3;
let payments = 0;
let charged: readonly ChargedPayment[] = [];
let dataDir = '';
const until = Date.now();
const QUIET = { write: () => {} };

before(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'history-'));
  const ports = Object.fromEntries(
    ['PORT', 'MANAGE_PORT', 'METRICS_PORT', ...SIMULATOR_PORTS].map((name) => [name, '0']),
  );
  const { config } = await readDemoSettings({
    ...ports,
    PORT: String(await freePort()),
    DATABASE_URL: database.connectionString,
    GATEWAY_DATA_DIR: dataDir,
  });
  const openMerchant = (operations: Gateway['operations']) =>
    openDemoMerchant(operations, dataDir, 'http://127.0.0.1:9');
  ({ payments, charged } = await makeHistory({ config, logTo: QUIET, openMerchant, until, days: DAYS }));
  gateway = await openGateway(config, { logTo: QUIET });
});
after(async () => {
  await gateway.close();
  await database.close();
  await rm(dataDir, { recursive: true });
});

async function countOf(sql: string): Promise<Record<string, number>> {
  const { rows } = await database.pool.query<{ word: string; count: number }>(sql);
  return Object.fromEntries(rows.map(({ word, count }) => [word, Number(count)]));
}

describe('the history of the demo', () => {
  it('the demo’s history contains hundreds of payments over several days, and its books balance', async () => {
    assert.ok(payments > DAYS * 12, `${payments} payments`);
    const { rows } = await database.pool.query<{ first: number; last: number }>(
      'select min(accepted_at) as first, max(accepted_at) as last from payouts',
    );
    assert.ok(until - Number(rows[0]?.first) > (DAYS - 1) * DAY_MS);
    assert.ok(Number(rows[0]?.last) <= until);
    const broken = (await gateway.operations.books.verify()).filter(({ holds }) => !holds);
    assert.deepEqual(broken, []);
  });

  it('the demo’s history has payouts of every state, and contains a waiting approval and a pause', async () => {
    const states = await countOf('select state as word, count(*) from payouts group by 1');
    for (const [state, least] of Object.entries({ success: DAYS * 8, blocked: 1, pending: 5 }))
      assert.ok((states[state] ?? 0) >= least, JSON.stringify(states));
    assert.deepEqual(await countOf('select stage as word, count(*) from payout_jobs group by 1'), {
      awaiting_approval: 2,
      queued: 3,
    });
    assert.equal((await gateway.operations.pauses.list()).length, 1);
  });

  it('the demo’s history has deposits of each type, a chargeback, a refund and the other kinds that the portal shows', async () => {
    const deposits = await countOf('select payment_type as word, count(*) from deposits group by 1');
    assert.ok((deposits['card'] ?? 0) >= 2 && (deposits['spei'] ?? 0) >= 2, JSON.stringify(deposits));
    assert.deepEqual(await countOf('select kind as word, count(*) from deposit_adjustments group by 1'), {
      charged_back: 1,
    });
    const refunds = await countOf("select state as word, count(*) from payouts where purpose = 'refund' group by 1");
    assert.deepEqual(refunds, { success: 1 });
    assert.deepEqual(await countOf('select state as word, count(*) from payout_batch_rows group by 1'), {
      accepted: 4,
    });
    const requests = await countOf('select outcome as word, count(*) from logged_requests group by 1');
    assert.ok(requests['unproven'] === 1 && requests['rejected'] === 2, JSON.stringify(requests));
    const differences = await countOf(
      'select kind as word, count(*) from differences where resolved_at is null group by 1',
    );
    assert.equal(differences['missing_here'], 1, JSON.stringify(differences));
  });

  it('the demo’s history seeds the provider with each paid card payment', async () => {
    const { rows } = await database.pool.query<{ provider_reference: string; reference: string }>(
      `select a.provider_reference, a.reference from payment_attempts as a
       join deposits as d using (merchant_id, transaction_id) where d.payment_type = 'card' and a.state = 'paid'`,
    );
    const names = ({ providerReference, reference }: Omit<ChargedPayment, 'currency' | 'value'>) =>
      `${providerReference} ${reference}`;
    const paid = rows.map((row) => names({ providerReference: row.provider_reference, reference: row.reference }));
    assert.deepEqual(paid.sort(), charged.map(names).sort());
  });

  it('the demo’s history has held money, a reversal, failed callbacks and compared days', async () => {
    assert.equal((await gateway.operations.deposits.held(10)).length, 2);
    const adjustments = await countOf('select kind as word, count(*) from payout_adjustments group by 1');
    assert.deepEqual(adjustments, { reversed: 1 });
    const callbacks = await countOf('select state as word, count(*) from callbacks group by 1');
    assert.ok(
      (callbacks['delivered'] ?? 0) > DAYS * 8 && (callbacks['due'] ?? 0) + (callbacks['undelivered'] ?? 0) > 3,
    );
    const days = await gateway.operations.reconciliation.days({
      rail: null,
      from: utcDayOf(until - 15 * DAY_MS),
      until: utcDayOf(until),
    });
    assert.ok(days.length >= (DAYS - 1) * 4, `${days.length} compared days`);
  });
});

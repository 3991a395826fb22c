/**
 * The pictures of the pages that the README shows: made by the full run, from the demo’s history, so that they never show a
 * page that does not exist any more.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openDemoMerchant } from '../../../demo/src/demo-merchant.ts';
import { readDemoSettings } from '../../../demo/src/demo-settings.ts';
import { leaveProposal } from '../../../demo/src/history/leave-proposal.ts';
import { makeHistory } from '../../../demo/src/history/make-history.ts';
import { SIMULATOR_PORTS } from '../../../demo/test/demo-run.ts';
import type { Gateway } from '../../src/main/compose/compose.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { freePort, MASTER_KEY } from '../support/running-gateway.ts';
import { until } from '../support/until.ts';
import { arrive } from './page-checks.ts';
import { invited, openPortalStage, type PortalStage, type Visitor } from './portal-stage.ts';

const ROOT = join(import.meta.dirname, '../../..');
const FOLDER = 'docs/pictures/pages';
const PICTURES = ['charts', 'payment', 'inbox'] as const;
const SIZE = { width: 1_280, height: 860 };

it('the README shows each picture of the pages that the full run makes, in light and dark', () => {
  const shown = new Set(readFileSync(join(ROOT, 'README.md'), 'utf8').match(/docs\/pictures\/pages\/[\w-]+\.png/g));
  const made = PICTURES.flatMap((name) => ['light', 'dark'].map((scheme) => `${FOLDER}/${name}-${scheme}.png`));
  assert.deepEqual([...shown].sort(), made.sort());
});

/** A database with the demo’s history, and the id of the demo’s merchant. */
async function inventHistory(database: TestDatabase): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pictures-'));
  const ports = ['PORT', 'MANAGE_PORT', 'METRICS_PORT', ...SIMULATOR_PORTS].map((name) => [name, '0'] as const);
  const { config } = await readDemoSettings({
    ...{ ...Object.fromEntries(ports), PORT: String(await freePort()), GATEWAY_DATA_DIR: dataDir },
    ...{ DATABASE_URL: database.connectionString, GATEWAY_MASTER_KEY: MASTER_KEY },
  });
  let merchantId = '';
  await makeHistory({
    config,
    logTo: { write: () => {} },
    async openMerchant(operations: Gateway['operations']) {
      const merchant = await openDemoMerchant(operations, dataDir, 'http://127.0.0.1:9');
      merchantId = merchant.merchantId;
      return merchant;
    },
    until: Date.now(),
  });
  return merchantId;
}

async function take(visitor: Visitor, name: (typeof PICTURES)[number]): Promise<void> {
  await visitor.page.setViewportSize(SIZE);
  for (const colorScheme of ['light', 'dark'] as const) {
    await visitor.page.emulateMedia({ colorScheme });
    await visitor.page.evaluate('probes.moving()');
    await visitor.page.screenshot({ path: join(ROOT, FOLDER, `${name}-${colorScheme}.png`) });
  }
}

async function takeAll(stage: PortalStage, merchantId: string): Promise<void> {
  const { operations, database } = stage.gateway;
  await leaveProposal(operations, stage.gateway.manageUrl, merchantId);
  await until('the hours of the history are closed', async () => {
    const { rows } = await database.pool.query('select from payment_volumes where hour > now() - $1::interval', [
      '2 days',
    ]);
    return rows.length > 0 || undefined;
  });
  const owner = await invited(stage, merchantId, 'owner', 'Ana Souza');
  await owner.goto('/charts?currency=UAH');
  await arrive(owner, 'Charts');
  await take(owner, 'charts');
  const paid = `select payout_id as id from payouts where merchant_id = $1 and state = 'success' and currency = 'EUR'
    order by accepted_at desc limit 1`;
  const { rows } = await database.pool.query<{ id: string }>(paid, [merchantId]);
  await owner.goto(`/payouts/${merchantId}/${rows[0]?.id}`);
  await arrive(owner, /EUR/);
  await take(owner, 'payment');
  const operator = await invited(stage, null, 'administrator', 'Olga Orlova');
  await operator.goto('/');
  await arrive(operator, 'Inbox');
  await operator.page.getByRole('button', { name: 'Hide' }).click();
  await take(operator, 'inbox');
  assert.deepEqual([...owner.offences, ...operator.offences], []);
}

if (process.env['TEST_FULL'])
  describe('the pictures of the pages', () => {
    it('the pictures of the pages are taken from the demo’s history, without an offence of any page', async () => {
      mkdirSync(join(ROOT, FOLDER), { recursive: true });
      const database = await createTestDatabase();
      const merchantId = await inventHistory(database);
      const stage = await openPortalStage({}, database);
      try {
        await takeAll(stage, merchantId);
      } finally {
        await stage.close();
        await database.close();
      }
    });
  });

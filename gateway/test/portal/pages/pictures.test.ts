/**
 * The screenshots in the README. The full run creates them from the demo’s history, so that they always match the current
 * pages.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { leaveProposal } from '../../../../demo/src/history/leave-proposal.ts';
import { createTestDatabase } from '../../support/postgres/postgres.ts';
import { inventHistory, untilCounted } from '../stage/demo-history.ts';
import { arrive } from '../stage/page-checks.ts';
import { invited, openPortalStage, type PortalStage, type Visitor } from '../stage/portal-stage.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const FOLDER = 'docs/pictures/pages';
const PICTURES = ['charts', 'payment', 'inbox'] as const;
const SIZE = { width: 1_280, height: 860 };

it('the README shows each picture of the pages that the full run makes, in light and dark', () => {
  const shown = new Set(readFileSync(join(ROOT, 'README.md'), 'utf8').match(/docs\/pictures\/pages\/[\w-]+\.png/g));
  const made = PICTURES.flatMap((name) => ['light', 'dark'].map((scheme) => `${FOLDER}/${name}-${scheme}.png`));
  assert.deepEqual([...shown].sort(), made.sort());
});

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
  await untilCounted(database);
  const owner = await invited(stage, merchantId, 'owner', 'Ana Souza');
  await owner.goto('/charts?currency=EUR&days=14');
  await arrive(owner, 'Charts');
  await take(owner, 'charts');
  const paid = `select payout_id as id from payouts where merchant_id = $1 and state = 'success' and currency = 'EUR'
    and payout_id not like 'A-3%' order by accepted_at desc limit 1`;
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
    it('the portal’s pictures show the demo’s history, and no pictured page violates its policy', async () => {
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

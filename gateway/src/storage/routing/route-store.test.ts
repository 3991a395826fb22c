import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { createTestDatabase } from '../../../test/support/postgres/postgres.ts';
import { readOpeningHours } from '../../domain/routing/opening-hours.ts';
import type { Route } from '../../domain/routing/route-store.ts';
import { HOUR_MS } from '../../foundation/clock.ts';
import { invariant } from '../../foundation/invariant.ts';
import { openDatabase } from '../core/database.ts';
import { createRouteStore } from './route-store.ts';

const NOW = Date.UTC(2026, 10, 20, 10);

const testDatabase = await createTestDatabase();
const database = openDatabase(testDatabase.config, { poolSize: 2 });
const store = createRouteStore(database);
after(async () => {
  await database.close();
  await testDatabase.close();
});

const common: Route = {
  method: 9,
  merchantId: null,
  rail: 'a',
  rank: 2,
  weight: 80,
  minAmount: 100n,
  maxAmount: 10_000_000_000n,
  costFixed: 25n,
  costPercent: 12_500n,
};
const own: Route = {
  method: 9,
  merchantId: 'M1',
  rail: 'a',
  rank: 1,
  weight: null,
  minAmount: null,
  maxAmount: null,
  costFixed: 0n,
  costPercent: 0n,
};

it('the latest route of a method, merchant and rail replaces the earlier routes', async () => {
  await store.set({ ...common, rank: 1 });
  await store.set(common);
  await store.set(own);
  assert.deepEqual((await store.read()).routes, [common, own]);
  assert.equal(await store.remove(9, null, 'a'), 'removed');
  assert.equal(await store.remove(9, null, 'a'), 'none');
  assert.deepEqual((await store.read()).routes, [own]);
});

it('one of many simultaneous changes of the same routes is stored', async () => {
  const { routes: read } = await store.read();
  const isCurrent = (routes: readonly Route[]) => routes.length === read.length;
  const rails = ['b', 'c', 'd', 'e'];
  const stored = await Promise.all(rails.map((rail) => store.set({ ...common, rail }, isCurrent)));
  assert.deepEqual(stored.filter(Boolean), [true]);
  assert.equal((await store.read()).routes.length, read.length + 1);
  assert.equal(await store.remove(9, 'M1', 'a', () => false), 'stale');
});

it('new opening hours of a rail are stored, and payouts that waited for the old hours become due', async () => {
  const insert = `insert into payout_jobs (merchant_id, payout_id, rail, purpose, method, stage, stage_since, due_at, fence)
     values ('M1', $1, $2, 'payout', 9, $3, now(), to_timestamp($4), 7)`;
  const later = (NOW + HOUR_MS) / 1_000;
  await testDatabase.pool.query(insert, ['waits', 'a', 'queued', later]);
  await testDatabase.pool.query(insert, ['at-bank', 'a', 'at_bank', later]);
  await testDatabase.pool.query(insert, ['elsewhere', 'b', 'queued', later]);
  const hours = readOpeningHours('Mon-Fri 08:30-17:00 America/Toronto');
  invariant(hours, 'hours that can be read');
  await store.setHours('a', hours, NOW);
  assert.deepEqual((await store.read()).hours, [{ rail: 'a', hours }]);
  const { rows } = await testDatabase.pool.query('select payout_id from payout_jobs where due_at = to_timestamp($1)', [
    NOW / 1_000,
  ]);
  assert.deepEqual(rows, [{ payout_id: 'waits' }]);
  await store.setHours('a', null, NOW);
  assert.deepEqual((await store.read()).hours, []);
});

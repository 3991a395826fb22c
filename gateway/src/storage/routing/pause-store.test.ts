import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createTestDatabase } from '../../../test/support/postgres/postgres.ts';
import { REFERENCE_KEY } from '../../../test/support/tools/reference-key.ts';
import type { PayoutPurpose } from '../../domain/methods/payout-purpose.ts';
import { HOLDS, type HoldReason } from '../../domain/payouts/hold-reasons.ts';
import { PAUSES_KNOWN_AFTER_MS, pausePayouts, resumePayouts } from '../../domain/routing/pauses.ts';
import { createManualClock } from '../../foundation/clock.ts';
import { watchPauses } from '../../worker/payouts/watch-pauses.ts';
import { openDatabase } from '../core/database.ts';
import { createPayoutJobStore } from '../payouts/payout-job-store.ts';
import { createPauseStore } from './pause-store.ts';
import { createRouteStore } from './route-store.ts';

const NOW = Date.UTC(2026, 10, 20, 10);

const testDatabase = await createTestDatabase();
const database = openDatabase(testDatabase.config, { poolSize: 3 });
const store = createPauseStore(database);
after(async () => {
  await database.close();
  await testDatabase.close();
});
beforeEach(() => testDatabase.pool.query('truncate pauses, payout_jobs'));

interface JobRow {
  merchant: string;
  id: string;
  rail?: string;
  purpose?: PayoutPurpose;
  method?: number | null;
  stage?: string;
  heldBecause?: HoldReason | null;
  note?: string;
}

async function insertJob(job: JobRow): Promise<void> {
  const { merchant, id, rail = 'bank', purpose = 'payout', method = 9, stage = 'queued' } = job;
  await testDatabase.pool.query(
    `insert into payout_jobs (merchant_id, payout_id, rail, purpose, method, stage, stage_since, due_at, fence, held_because, note)
     values ($1, $2, $3, $4, $5, $6, now(), to_timestamp($7), 7, $8, $9)`,
    [merchant, id, rail, purpose, method, stage, NOW / 1000 + 3_600, job.heldBecause ?? null, job.note ?? ''],
  );
}

async function jobs(): Promise<Record<string, { dueInMs: number; fence: number }>> {
  const { rows } = await testDatabase.pool.query(
    'select payout_id, fence, extract(epoch from due_at) * 1000 as due from payout_jobs',
  );
  return Object.fromEntries(rows.map((row) => [row.payout_id, { dueInMs: Number(row.due) - NOW, fence: row.fence }]));
}

test('a pause is listed with its start and reason until it is resumed', async () => {
  const clock = createManualClock(NOW);
  assert.equal(await pausePayouts({ pauses: store, clock }, 'rail', 'bank', 'the bank is down'), true);
  assert.equal(await pausePayouts({ pauses: store, clock }, 'rail', 'bank', 'again'), false);
  assert.deepEqual(await store.list(), [{ scope: 'rail', target: 'bank', since: NOW, reason: 'the bank is down' }]);
  assert.equal(await resumePayouts({ pauses: store, clock }, 'rail', 'bank'), 0);
  assert.deepEqual(await store.list(), []);
  assert.equal(await resumePayouts({ pauses: store, clock }, 'rail', 'bank'), undefined);
});

const scopes = [
  { scope: 'merchant', target: 'M1', woken: ['a', 'b'] },
  { scope: 'method', target: '12', woken: ['b', 'c'] },
  { scope: 'purpose', target: 'refund', woken: ['d'] },
  { scope: 'rail', target: 'bank', woken: ['a', 'c'] },
] as const;

for (const { scope, target, woken } of scopes) {
  test(`resuming a ${scope} makes only its held payouts due soon`, async () => {
    await insertJob({ merchant: 'M1', id: 'a' });
    await insertJob({ merchant: 'M1', id: 'b', rail: 'other', method: 12 });
    await insertJob({ merchant: 'M2', id: 'c', method: 12 });
    await insertJob({ merchant: 'M2', id: 'd', rail: 'other', purpose: 'refund', method: null });
    const clock = createManualClock(NOW);
    await pausePayouts({ pauses: store, clock }, scope, target, 'trial');
    assert.equal(await resumePayouts({ pauses: store, clock }, scope, target), woken.length);
    for (const [id, { dueInMs, fence }] of Object.entries(await jobs())) {
      const isWoken = (woken as readonly string[]).includes(id);
      assert.deepEqual(
        { dueInMs, fence },
        isWoken ? { dueInMs: 2_000, fence: 8 } : { dueInMs: 3_600_000, fence: 7 },
        id,
      );
    }
  });
}

test('resuming leaves payouts unchanged that a bank may already have', async () => {
  for (const stage of ['sending', 'at_bank', 'unknown']) await insertJob({ merchant: 'M1', id: stage, stage });
  const clock = createManualClock(NOW);
  await pausePayouts({ pauses: store, clock }, 'merchant', 'M1', 'trial');
  assert.equal(await resumePayouts({ pauses: store, clock }, 'merchant', 'M1'), 0);
  assert.ok(Object.values(await jobs()).every(({ dueInMs, fence }) => dueInMs === 3_600_000 && fence === 7));
});

test('a resume ends only a pause’s hold, and new opening hours only an hours’ hold', async () => {
  const reasons = Object.keys(HOLDS) as HoldReason[];
  const clock = createManualClock(NOW);
  const ends: readonly (readonly [HoldReason, () => Promise<unknown>])[] = [
    ['paused', () => resumePayouts({ pauses: store, clock }, 'merchant', 'M1')],
    ['closed', () => createRouteStore(database).setHours('bank', null, NOW)],
    ['rail_down', () => createPayoutJobStore(database, clock, REFERENCE_KEY).railIsBack('bank', NOW)],
  ];
  for (const [ended, end] of ends) {
    await testDatabase.pool.query('truncate payout_jobs');
    for (const heldBecause of reasons) await insertJob({ merchant: 'M1', id: heldBecause, heldBecause });
    await pausePayouts({ pauses: store, clock }, 'merchant', 'M1', 'trial');
    await end();
    const { rows } = await testDatabase.pool.query<{ id: string; held_because: string | null; fence: number }>(
      'select payout_id as id, held_because, fence from payout_jobs',
    );
    for (const { id, held_because, fence } of rows)
      assert.deepEqual([held_because, fence], id === ended ? [null, 8] : [id, 7], `${id} after the end of ${ended}`);
  }
});

test('only payouts that wait for their rail become due when the rail works again', async () => {
  const heldBecause = 'rail_down';
  await insertJob({ merchant: 'M1', id: 'waits', heldBecause });
  await insertJob({ merchant: 'M2', id: 'waits too', heldBecause });
  const others: JobRow[] = [
    { merchant: 'M1', id: 'for another rail', rail: 'other', heldBecause },
    { merchant: 'M1', id: 'refused by itself', note: 'check the account’s number' },
    { merchant: 'M1', id: 'paused', heldBecause: 'paused' },
    { merchant: 'M1', id: 'new' },
    { merchant: 'M1', id: 'at its bank', stage: 'at_bank', note: 'the bank keeps failing' },
  ];
  for (const job of others) await insertJob(job);
  await createPayoutJobStore(database, createManualClock(NOW), REFERENCE_KEY).railIsBack('bank', NOW);
  const found = await jobs();
  for (const id of ['waits', 'waits too']) assert.deepEqual(found[id], { dueInMs: 0, fence: 8 }, id);
  for (const { id } of others) assert.deepEqual(found[id], { dueInMs: 3_600_000, fence: 7 }, id);
});

test('a worker sees a new pause and its end within a second', async () => {
  const clock = createManualClock(NOW);
  const problems: string[] = [];
  let looks = 0;
  const list = async () => {
    const pauses = await store.list();
    looks += 1;
    return pauses;
  };
  const view = await watchPauses({ ...store, list }, clock, (problem) => problems.push(problem));
  const nextLook = async () => {
    const seen = looks;
    clock.advance(1_000);
    while (looks === seen) await setImmediate();
    await setImmediate();
  };
  const payout = { merchantId: 'M1', purpose: 'payout', method: 9, rail: 'bank' } as const;
  assert.equal(view.find(payout), undefined);
  await pausePayouts({ pauses: store, clock }, 'method', '9', 'fraud wave');
  await nextLook();
  assert.equal(view.find(payout)?.reason, 'fraud wave');
  assert.equal(view.find({ ...payout, method: 12 }), undefined);
  await resumePayouts({ pauses: store, clock }, 'method', '9');
  await nextLook();
  assert.equal(view.find(payout), undefined);
  await view.stop();
  assert.deepEqual(problems, []);
});

test('a payout due soon after a resume waits until all workers have read the resume', async () => {
  const clock = createManualClock(NOW);
  await pausePayouts({ pauses: store, clock }, 'rail', 'bank', 'down');
  await insertJob({ merchant: 'M1', id: 'seen' });
  await testDatabase.pool.query(
    `update payout_jobs set due_at = to_timestamp($1), held_because = 'paused', note = 'rail bank is paused'`,
    [NOW / 1000 + 1],
  );
  await resumePayouts({ pauses: store, clock }, 'rail', 'bank');
  const { rows } = await testDatabase.pool.query('select held_because, note from payout_jobs');
  assert.deepEqual(rows, [{ held_because: null, note: '' }]);
  assert.deepEqual((await jobs())['seen'], { dueInMs: PAUSES_KNOWN_AFTER_MS, fence: 8 });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres/postgres.ts';
import { type Database, openDatabase } from '../core/database.ts';
import { readQueueStatistics } from './queue-statistics.ts';

const NOON = Date.UTC(2026, 10, 21, 12);

describe('the statistics of the queues', () => {
  let test: TestDatabase;
  let database: Database;

  before(async () => {
    test = await createTestDatabase();
    database = openDatabase(test.config, { poolSize: 2 });
  });
  after(async () => {
    await database.close();
    await test.close();
  });

  const at = (offsetMs: number) => new Date(NOON + offsetMs).toISOString();

  async function addJob(payoutId: string, rail: string, stage: string, sinceMs: number, dueMs: number): Promise<void> {
    await test.pool.query(
      `insert into payout_jobs (merchant_id, payout_id, rail, purpose, method, stage, stage_since, due_at)
       values ('M1', $1, $2, 'payout', 9, $3, $4, $5)`,
      [payoutId, rail, stage, at(sinceMs), at(dueMs)],
    );
  }

  async function addCallback(merchantId: string, callbackId: string, dueMs: number | null): Promise<void> {
    await test.pool.query(
      `insert into callbacks (merchant_id, callback_id, subject, subject_id, payload, state, created_at, due_at, finished_at)
       values ($1, $2, 'payout', $2, '[]', $3, $4, $5, null)`,
      [merchantId, callbackId, dueMs === null ? 'delivered' : 'due', at(0), dueMs === null ? null : at(dueMs)],
    );
  }

  const addLane = (merchantId: string, pausedMs: number | null) =>
    test.pool.query('insert into callback_lanes (merchant_id, due_at, paused_until) values ($1, $2, $3)', [
      merchantId,
      at(0),
      pausedMs === null ? null : at(pausedMs),
    ]);

  it('queue statistics are empty while no job is queued', async () => {
    assert.deepEqual(await readQueueStatistics(database, NOON), {
      payoutStages: [],
      payoutsDue: [],
      callbacks: { waiting: 0, oldestDueAt: null, lanesPaused: 0 },
      differences: [],
    });
  });

  it('queue statistics count payouts by rail and stage, and find the oldest due payout that no worker holds', async () => {
    await addJob('a', 'a_rail', 'queued', -9_000, -2_000);
    await addJob('b', 'a_rail', 'queued', -8_000, 60_000);
    await addJob('c', 'a_rail', 'unknown', -7_000, -5_000);
    await addJob('d', 'b_rail', 'sending', -90_000, 30_000);
    const { payoutStages, payoutsDue } = await readQueueStatistics(database, NOON);
    assert.deepEqual(payoutStages, [
      { rail: 'a_rail', stage: 'queued', count: 2, oldestSince: NOON - 9_000 },
      { rail: 'a_rail', stage: 'unknown', count: 1, oldestSince: NOON - 7_000 },
      { rail: 'b_rail', stage: 'sending', count: 1, oldestSince: NOON - 90_000 },
    ]);
    assert.deepEqual(payoutsDue, [
      { rail: 'a_rail', oldestDueAt: NOON - 5_000 },
      { rail: 'b_rail', oldestDueAt: null },
    ]);
  });

  it('queue statistics exclude paused lanes and callbacks that are not due from the oldest due callback', async () => {
    await addLane('M1', null);
    await addLane('M2', 60_000);
    await addLane('M3', -60_000);
    await addLane('M4', null);
    await addCallback('M1', 'later', 60_000);
    await addCallback('M2', 'paused', -600_000);
    await addCallback('M3', 'pause-is-over', -7_000);
    await addCallback('M3', 'younger', -6_000);
    await addCallback('M4', 'delivered', null);
    const { callbacks } = await readQueueStatistics(database, NOON);
    assert.deepEqual(callbacks, { waiting: 4, oldestDueAt: NOON - 7_000, lanesPaused: 1 });
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres/postgres.ts';
import type { RailHealth } from '../../domain/rails/rail-health.ts';
import { DAY_MS, type Instant } from '../../foundation/clock.ts';
import { type Database, openDatabase } from '../core/database.ts';
import { createRailHealthStore } from './rail-health-store.ts';

const START = Date.UTC(2026, 10, 20);
const HEALTH: readonly RailHealth[] = [{ rail: 'a_rail', breaker: 'closed', inFlight: 0 }];

let database: TestDatabase;
let pool: Database;

before(async () => {
  database = await createTestDatabase();
  pool = openDatabase(database.config, { poolSize: 1 });
});

after(async () => {
  await pool.close();
  await database.close();
});

/** Reports at `at`. `before`: the worker's last report; null: it has none. */
const report = (process: string, at: Instant, before: Instant | null) =>
  createRailHealthStore(pool).report(
    { process, reported: before === null ? [] : [{ rail: 'a_rail', at: before }] },
    HEALTH,
    at,
  );

describe('the reports of workers about their rails', () => {
  it('the last reports of two workers are kept while their machines were suspended for days', async () => {
    await report('first', START, null);
    await report('second', START, null);
    const later = START + 5 * DAY_MS;
    assert.equal(await report('second', later, START), true);
    assert.equal(await report('first', later, START), true);
  });

  it('the last report of another worker is kept when the reporting worker’s own report is missing', async () => {
    await report('living', START, null);
    const later = START + 31 * DAY_MS;
    assert.equal(await report('forgotten', later, START), false);
    assert.equal(await report('living', later, START), true);
  });

  it('the reports of a worker that ended a month ago are deleted', async () => {
    await report('ended', START, null);
    const later = START + 31 * DAY_MS;
    await report('other', later, null);
    assert.equal(await report('ended', later, START), false);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { createRestorableDatabase } from './restorable-database.ts';

describe('the database of a run', () => {
  it('the simulation’s database lists an open transaction, and the session that waits for its lock', async () => {
    const database = await createRestorableDatabase();
    const { admin, connectionString, openWork } = database;
    const waiting = new pg.Client({ connectionString, application_name: 'process 1' });
    await waiting.connect();
    await admin.query('begin');
    await admin.query('select pg_advisory_xact_lock(1)');
    const locked = waiting.query('select pg_advisory_xact_lock(1)');
    let works = await openWork();
    while (!works.some(({ waitsFor }) => waitsFor === 'Lock advisory')) works = await openWork();
    await admin.query('commit');
    await locked;
    await waiting.end();
    await database.close();
    const ofRun = works.filter(({ query }) => query.includes('pg_advisory_xact_lock'));
    assert.deepEqual(ofRun.map(({ process, state, blockedBy }) => [process, state, blockedBy.length]).toSorted(), [
      ['', 'idle in transaction', 0],
      ['process 1', 'active', 1],
    ]);
  });
});

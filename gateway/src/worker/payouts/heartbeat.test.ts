import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock, type Instant } from '../../foundation/clock.ts';
import { createHeartbeat } from './heartbeat.ts';

/** A database with the reports of one worker, which a restore replaces by an older one. */
function createScene() {
  const clock = createManualClock(1_000);
  const problems: string[] = [];
  const database: { toldAt: Instant | null; restoredAt: Instant | null } = { toldAt: null, restoredAt: null };
  const heartbeat = createHeartbeat({
    store: {
      async tell(_process, _health, at, toldAt) {
        if (toldAt !== null && (database.toldAt ?? 0) < toldAt) return false;
        database.toldAt = at;
        return true;
      },
    },
    restoredAt: async () => database.restoredAt,
    process: 'a process',
    clock,
    onProblem: (problem) => problems.push(problem),
  });
  return { clock, problems, database, heartbeat };
}

describe('the heartbeat of a worker', () => {
  it('the witness is the last report that the database committed', async () => {
    const { clock, heartbeat } = createScene();
    assert.equal(heartbeat.witness(), null);
    await heartbeat.tell([]);
    clock.advance(500);
    await heartbeat.tell([]);
    assert.deepEqual(heartbeat.witness(), { process: 'a process', toldAt: 1_500 });
  });

  it('a worker whose report is lost keeps its witness, until the operator declares the restore', async () => {
    const { clock, problems, database, heartbeat } = createScene();
    await heartbeat.tell([]);
    database.toldAt = 900;
    clock.advance(500);
    await heartbeat.tell([]);
    assert.deepEqual([heartbeat.witness()?.toldAt, database.toldAt], [1_000, 900]);
    assert.match(problems[0] ?? '', /^the database lost commits of this worker/);
    database.restoredAt = 1_200;
    await heartbeat.tell([]);
    assert.deepEqual([heartbeat.witness()?.toldAt, problems.length], [1_500, 1]);
  });

  it('a recovery from before the last report explains no lost report', async () => {
    const { clock, problems, database, heartbeat } = createScene();
    database.restoredAt = 500;
    await heartbeat.tell([]);
    database.toldAt = 900;
    clock.advance(500);
    await heartbeat.tell([]);
    assert.equal(problems.length, 1);
  });

  it('reports never go back in time when the clock does', async () => {
    const { clock, problems, database, heartbeat } = createScene();
    await heartbeat.tell([]);
    clock.advance(-400);
    await heartbeat.tell([]);
    assert.deepEqual([database.toldAt, problems], [1_000, []]);
  });
});

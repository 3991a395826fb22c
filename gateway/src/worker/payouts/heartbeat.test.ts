import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RailHealth } from '../../domain/rails/rail-health.ts';
import { createManualClock, type Instant } from '../../foundation/clock.ts';
import { createHeartbeat } from './heartbeat.ts';

const HEALTH: readonly RailHealth[] = [{ rail: 'a_rail', breaker: 'closed', inFlight: 0 }];

/** A database with the reports of one worker, which a restore replaces by an older database, on another lineage or the same. */
function createScene() {
  const clock = createManualClock(1_000);
  const problems: string[] = [];
  const reported = new Map<string, Instant>();
  const known = new Set<string>();
  const database = { reported, known, restoredAt: null as Instant | null, lineage: '7/1' };
  const begin = () =>
    createHeartbeat({
      store: {
        async report(witness, health, at) {
          if (witness.reported.some((each) => (reported.get(each.rail) ?? 0) < each.at)) return false;
          for (const { rail } of health) reported.set(rail, at);
          return true;
        },
        async mark(_process, rail, at) {
          reported.set(rail, at);
        },
      },
      lineages: {
        read: async () => {
          const isFirst = known.size === 0;
          return { current: database.lineage, isKnown: isFirst || known.has(database.lineage), isFirst };
        },
        async confirm({ lineage }) {
          known.add(lineage);
        },
      },
      restoredAt: async () => database.restoredAt,
      process: 'a process',
      clock,
      onProblem: (problem) => problems.push(problem),
    });
  return { clock, problems, database, heartbeat: begin(), begin };
}

const reportedAt = ({ witness }: ReturnType<typeof createHeartbeat>) => witness().reported[0]?.at;

describe('the heartbeat of a worker', () => {
  it('a worker’s witness of the lineage is the last report that the database committed', async () => {
    const { clock, heartbeat } = createScene();
    assert.deepEqual(heartbeat.witness().reported, []);
    await heartbeat.report(HEALTH);
    clock.advance(500);
    await heartbeat.report(HEALTH);
    assert.deepEqual(heartbeat.witness(), { process: 'a process', reported: [{ rail: 'a_rail', at: 1_500 }] });
  });

  it('a worker whose report is lost keeps its witness, until the operator declares the restore', async () => {
    const { clock, problems, database, heartbeat } = createScene();
    await heartbeat.report(HEALTH);
    database.reported.set('a_rail', 900);
    clock.advance(500);
    await heartbeat.report(HEALTH);
    assert.deepEqual([reportedAt(heartbeat), database.reported.get('a_rail')], [1_000, 900]);
    assert.match(problems[0] ?? '', /^the database lost commits of this worker/);
    database.restoredAt = 1_200;
    await heartbeat.report(HEALTH);
    assert.equal(problems.length, 1);
    assert.ok((reportedAt(heartbeat) ?? 0) >= 1_500);
  });

  it('a recovery that began before the last report does not excuse a lost report', async () => {
    const { clock, problems, database, heartbeat } = createScene();
    database.restoredAt = 500;
    await heartbeat.report(HEALTH);
    database.reported.set('a_rail', 900);
    clock.advance(500);
    await heartbeat.report(HEALTH);
    assert.equal(problems.length, 1);
  });

  it('attempts that a worker began after its last report are part of the witness', async () => {
    const { clock, problems, database, heartbeat } = createScene();
    await heartbeat.report(HEALTH);
    clock.advance(500);
    await heartbeat.mark('a_rail');
    assert.equal(reportedAt(heartbeat), 1_500);
    database.reported.set('a_rail', 1_000);
    await heartbeat.report(HEALTH);
    assert.equal(problems.length, 1, 'a restore to between the report and the attempts went unnoticed');
  });

  it('reports never go back in time when the clock does', async () => {
    const { clock, problems, database, heartbeat } = createScene();
    await heartbeat.report(HEALTH);
    clock.advance(-400);
    await heartbeat.report(HEALTH);
    assert.deepEqual([database.reported.get('a_rail'), problems], [1_001, []]);
  });
});

describe('a worker on a database of unknown lineage', () => {
  it('a worker that finds its last reports after a failover confirms the new lineage', async () => {
    const { problems, database, heartbeat } = createScene();
    await heartbeat.report(HEALTH);
    database.lineage = '7/2';
    await heartbeat.report(HEALTH);
    assert.deepEqual([[...database.known], problems], [['7/1', '7/2'], []]);
  });

  it('a worker without an earlier report never confirms a lineage', async () => {
    const { problems, database, heartbeat, begin } = createScene();
    await heartbeat.report(HEALTH);
    database.lineage = '7/2';
    const fresh = begin();
    for (let times = 0; times < 3; times++) await fresh.report(HEALTH);
    assert.deepEqual([[...database.known], database.reported.get('a_rail')], [['7/1'], 1_000]);
    assert.equal(problems.length, 3);
    assert.match(problems[0] ?? '', /another server or timeline/);
    database.known.add('7/2');
    await fresh.report(HEALTH);
    assert.equal(problems.length, 3);
  });

  it('a worker whose report is lost does not confirm a lineage', async () => {
    const { problems, database, heartbeat } = createScene();
    await heartbeat.report(HEALTH);
    database.lineage = '7/2';
    database.reported.set('a_rail', 900);
    await heartbeat.report(HEALTH);
    assert.deepEqual([[...database.known], problems.length], [['7/1'], 1]);
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres/postgres.ts';
import { drawnFrom } from '../world/drawn.ts';
import { createLife } from '../world/life.ts';
import { PACES } from '../world/pace.ts';
import { World } from '../world/world.ts';
import { createLockWatch } from './lock-watch.ts';
import { SimulatedDatabase } from './simulated-database.ts';

const NO_FAULTS = { isAway: () => false, commitFault: () => undefined };
const BURIED_WITHIN_MS = 10_000;

type Side = 'beforeTurn' | 'afterTurn';
type Work = (database: SimulatedDatabase) => Promise<unknown>;

const WORKS: readonly (readonly [name: string, turns: number, work: Work])[] = [
  ['a statement', 1, (database) => database.query('select 1')],
  [
    'a transaction',
    4,
    (database) =>
      database.transaction(async (transaction) => {
        await transaction.query('select 1');
        await transaction.query('select 2');
      }),
  ],
  [
    'a session',
    2,
    async (database) => {
      const { connection, release } = await database.connect();
      await connection.query('select 1');
      release();
    },
  ],
];

let real: TestDatabase;
before(async () => {
  real = await createTestDatabase();
});
after(() => real.close());

/** Kills the process at its n-th turn during `work`. Resolves to true if no trace of the process is left in the database. */
async function isBuried(work: Work, turn: number, side: Side): Promise<boolean> {
  const world = new World({
    ...{ drawn: drawnFrom('deaths'), pace: PACES.usual, start: 0, locks: createLockWatch(real.pool) },
    nextDue: async () => Number.POSITIVE_INFINITY,
  });
  const life = createLife(`dies ${side} turn ${turn}`);
  const database = new SimulatedDatabase(world, life, real.config, NO_FAULTS);
  let turns = 0;
  world[side] = () => {
    turns += 1;
    if (turns === turn) life.kill();
  };
  void work(database).catch(() => {});
  await world.runUntil(1, () => false);
  assert.equal(life.isAlive(), false);
  return Promise.race([database.bury().then(() => true), sleep(BURIED_WITHIN_MS, false, { ref: false })]);
}

describe('the database of a simulated process', () => {
  for (const [name, turns, work] of WORKS)
    for (const side of ['beforeTurn', 'afterTurn'] as const)
      it(`a simulated process that dies ${side === 'beforeTurn' ? 'before' : 'after'} any turn of ${name} leaves no connection`, async () => {
        for (let turn = 1; turn <= turns; turn++) assert.equal(await isBuried(work, turn, side), true, `turn ${turn}`);
      });

  it('the simulation runs two statements whose locks one commit grants one after the other', async () => {
    await real.pool.query(
      'create table granted (place serial, name text); grant all on granted, granted_place_seq to public',
    );
    const world = new World({
      ...{ drawn: drawnFrom('grants'), pace: PACES.usual, start: 0, locks: createLockWatch(real.pool) },
      nextDue: async () => Number.POSITIVE_INFINITY,
    });
    const [first, second] = ['first', 'second'].map(
      (name) => new SimulatedDatabase(world, createLife(name), real.config, NO_FAULTS),
    );
    assert.ok(first && second);
    const insertAfterLock = (name: string, lock: number, ms: number) =>
      second.query(
        `with locked as materialized (select pg_advisory_xact_lock($1)), slept as materialized (select pg_sleep($2 / 1000.0) from locked)
         insert into granted (name) select $3 from slept`,
        [lock, ms, name],
      );
    const waits: (() => void)[] = [];
    world.onStep = (step) => step.endsWith('waits for a lock') && waits.shift()?.();
    const isWaiting = () => new Promise<void>((resolve) => waits.push(resolve));
    const work = first.transaction(async (transaction) => {
      for (const lock of [1, 2]) await transaction.query('select pg_advisory_xact_lock($1)', [lock]);
      const slow = insertAfterLock('slow', 1, 300);
      await isWaiting();
      const fast = insertAfterLock('fast', 2, 0);
      await isWaiting();
      void Promise.all([slow, fast]);
    });
    await world.runUntil(1, () => false);
    await work;
    const { rows } = await real.pool.query('select name from granted order by place');
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['slow', 'fast'],
    );
    await Promise.all([first.close(), second.close()]);
  });
});

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createTestDatabase } from '../../../../test/support/postgres/postgres.ts';
import { openDatabase } from '../database.ts';
import { createExclusiveWork } from './exclusive-work.ts';

const testDatabase = await createTestDatabase();
const ours = openDatabase(testDatabase.config, { poolSize: 2 });
const theirs = openDatabase(testDatabase.config, { poolSize: 2 });
const [runHere, runThere] = [createExclusiveWork(ours), createExclusiveWork(theirs)];
after(async () => {
  await Promise.all([ours.close(), theirs.close()]);
  await testDatabase.close();
});

/** Work that runs until the test ends it. */
function longWork() {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  return {
    begun,
    end,
    work: () => {
      begin();
      return ended;
    },
  };
}

describe('exclusive work', () => {
  it('exclusive work runs in one process at a time, and another process may run it afterwards', async () => {
    const { begun, end, work } = longWork();
    const done: string[] = [];
    const here = runHere('count', work);
    await begun;
    await runThere('count', async () => done.push('too early'));
    await runThere('something else', async () => done.push('something else'));
    end();
    await here;
    await runThere('count', async () => done.push('count'));
    assert.deepEqual(done, ['something else', 'count']);
  });

  it('exclusive work uses one connection of the pool for any number of tasks', async () => {
    const other = longWork();
    const others = runHere('for long', other.work);
    const names = Array.from({ length: 20 }, (_, index) => `task ${index}`);
    let rows = 0;
    const count = async () => {
      const found = await ours.query('select 1');
      rows += found.length;
    };
    await Promise.all(names.map((name) => runHere(name, count)));
    assert.equal(rows, names.length);
    other.end();
    await others;
  });

  it('exclusive work that fails releases its lock and rejects with its error', async () => {
    const failing = async () => {
      throw new Error('no list today');
    };
    await assert.rejects(runHere('list', failing), /no list today/);
    let isDone = false;
    await runThere('list', async () => {
      isDone = true;
    });
    assert.equal(isDone, true);
  });

  it('exclusive work continues after its connection is lost, and later work uses a new connection', async () => {
    const { begun, end, work } = longWork();
    const here = runHere('books', work);
    await begun;
    await testDatabase.pool.query(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'
       and database = (select oid from pg_database where datname = current_database())`,
    );
    end();
    await here;
    let isDone = false;
    await runHere('books', async () => {
      isDone = true;
    });
    assert.equal(isDone, true);
  });
});

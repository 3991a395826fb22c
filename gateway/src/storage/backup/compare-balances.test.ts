import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres/postgres.ts';
import { HOUR_MS } from '../../foundation/clock.ts';
import { type Database, openDatabase } from '../core/database.ts';
import { compareBalances, readLedgerPoint } from './compare-balances.ts';

const NOON = Date.parse('2026-11-20T12:00:00Z');

describe('a restored ledger compared with the serving one', () => {
  let servers: TestDatabase[];
  let databases: Database[];
  const both = async (sql: string) => {
    for (const { pool } of servers) await pool.query(sql);
  };
  /** `change` runs after the point was read. */
  const compare = async (now: number, change = async () => {}) => {
    const [serving, restored] = databases;
    assert(serving && restored);
    const point = await readLedgerPoint(serving, now);
    await change();
    return compareBalances(point, serving, restored);
  };
  const post = (journal: string, amount: number) =>
    `insert into ledger_transfers values ('M1', '${journal}', 1, 'funding', 'EUR', 'operator_funding', 'available', ${amount}, null,
       '2026-11-20T12:00:00Z')`;

  before(async () => {
    servers = [await createTestDatabase(), await createTestDatabase()];
    databases = servers.map(({ config }) => openDatabase(config, { poolSize: 2 }));
  });
  after(async () => {
    for (const database of databases) await database.close();
    for (const server of servers) await server.close();
  });
  beforeEach(async () => {
    await both('truncate ledger_transfers');
    await both(post('A', 100));
  });

  for (const [age, now] of [
    ['old', NOON + HOUR_MS],
    ['recent', NOON],
  ] as const) {
    it(`the comparison with a restored ledger does not find a difference if the ${age} transfers are equal`, async () => {
      assert.deepEqual(await compare(now), { accounts: 2, differing: [] });
    });

    it(`the comparison with a restored ledger reports a changed amount of the ${age} transfer`, async () => {
      await servers[0]?.pool.query('update ledger_transfers set amount = 101');
      assert((await compare(now)).differing.length > 0);
    });

    it(`the comparison with a restored ledger reports a transfer that only the restored ledger has and that is ${age}`, async () => {
      await servers[1]?.pool.query(post('B', 5));
      assert((await compare(now)).differing.length > 0);
    });

    it(`the comparison with a restored ledger reports a lost transfer that is ${age}`, async () => {
      await servers[0]?.pool.query(post('B', 5));
      assert((await compare(now)).differing.length > 0);
    });
  }

  it('the comparison with a restored ledger lists each recent transfer that was committed before the recovery point and is missing', async () => {
    await both(post('B', 5));
    await servers[1]?.pool.query(`delete from ledger_transfers where journal_id = 'B'`);
    assert.deepEqual((await compare(NOON)).differing, ['M1 B line 1: committed before the proof, and not restored']);
  });

  it('the comparison with a restored ledger reports a lost transfer although an equal later one was restored', async () => {
    await servers[0]?.pool.query(post('B', 5));
    const { differing } = await compare(NOON, () => both(post('C', 5)));
    assert.deepEqual(differing, ['M1 B line 1: committed before the proof, and not restored']);
  });

  it('the comparison with a restored ledger allows transfers after the point, whether or not they were restored', async () => {
    const change = async () => {
      await servers[0]?.pool.query(post('B', 5));
      await both(post('C', 5));
    };
    assert.deepEqual((await compare(NOON, change)).differing, []);
  });

  it('the comparison with a restored ledger reads more recent transfers than one statement returns', async () => {
    await both(`insert into ledger_transfers select 'M1', 'N' || n, 1, 'funding', 'EUR', 'operator_funding', 'available', 1, null,
      '2026-11-20T12:00:00Z' from generate_series(1, 2500) as n`);
    await servers[1]?.pool.query(`delete from ledger_transfers where journal_id = 'N2400'`);
    assert.deepEqual((await compare(NOON)).differing, [
      'M1 N2400 line 1: committed before the proof, and not restored',
    ]);
  });
});

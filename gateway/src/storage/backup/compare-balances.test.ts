import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres/postgres.ts';
import { HOUR_MS } from '../../foundation/clock.ts';
import { type Database, openDatabase } from '../core/database.ts';
import { compareBalances } from './compare-balances.ts';

const NOON = Date.parse('2026-11-20T12:00:00Z');

describe('a restored ledger compared with the serving one', () => {
  let servers: TestDatabase[];
  let databases: Database[];
  const both = async (sql: string) => {
    for (const { pool } of servers) await pool.query(sql);
  };
  const compare = (recoveredUntil: number) => {
    const [serving, restored] = databases;
    assert(serving && restored);
    return compareBalances(serving, restored, recoveredUntil);
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

  for (const [age, recoveredUntil] of [
    ['old', NOON + HOUR_MS],
    ['recent', NOON],
  ] as const) {
    it(`the comparison with a restored ledger does not find a difference if the ${age} transfers are equal`, async () => {
      assert.deepEqual(await compare(recoveredUntil), { accounts: 2, differing: [] });
    });

    it(`the comparison with a restored ledger reports a changed amount of the ${age} transfer`, async () => {
      await servers[0]?.pool.query('update ledger_transfers set amount = 101');
      assert((await compare(recoveredUntil)).differing.length > 0);
    });

    it(`the comparison with a restored ledger reports a transfer that only the restored ledger has and that is ${age}`, async () => {
      await servers[1]?.pool.query(post('B', 5));
      assert((await compare(recoveredUntil)).differing.length > 0);
    });
  }

  it('the comparison with a restored ledger ignores newer transfers of the serving database and reports older transfers', async () => {
    await servers[0]?.pool.query(post('B', 5));
    assert.deepEqual((await compare(NOON)).differing, []);
    assert.deepEqual((await compare(NOON + HOUR_MS)).differing, [
      'M1 EUR available: 100, serving 105',
      'M1 EUR operator_funding: -100, serving -105',
    ]);
  });
});

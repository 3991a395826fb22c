import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { lockKey } from '../../src/storage/core/advisory-locks.ts';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres/postgres.ts';
import { judgeBalanceLocks, watchBalanceLocks } from './balance-locks.ts';
import type { Query } from './judge-payouts.ts';

const CREDIT = `update ledger_accounts set balance = balance + 1 where merchant_id = 'M1'`;

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
  await database.pool.query(`insert into merchants (merchant_id, name, state, settings, created_at)
    values ('M1', 'M1', 'active', '{}', now()), ('M2', 'M2', 'active', '{}', now())`);
  await database.pool.query(
    `insert into ledger_accounts (merchant_id, currency, account, balance) values ('M1', 'EUR', 'available', 0)`,
  );
  await watchBalanceLocks(database.pool as unknown as Parameters<typeof watchBalanceLocks>[0]);
});
after(() => database.close());

const query: Query = async <Row>(text: string) => (await database.pool.query(text)).rows as Row[];
/** Changes a balance of M1 under the lock of the given merchant. */
const creditUnderLockOf = (merchantId: string) =>
  database.pool.query(
    `begin; select pg_advisory_xact_lock(${lockKey('merchant', `'${merchantId}'`)}); ${CREDIT}; commit`,
  );

describe('the check of the locks of balances', () => {
  it('the check accepts a balance that changed under the lock of its merchant', async () => {
    await creditUnderLockOf('M1');
    assert.deepEqual(await judgeBalanceLocks(query), []);
  });

  it('the simulation reports a balance that changed under another merchant’s lock, or without a lock', async () => {
    await creditUnderLockOf('M2');
    await database.pool.query(CREDIT);
    const faults = await judgeBalanceLocks(query);
    assert.equal(faults.length, 2);
    for (const fault of faults)
      assert.match(fault, /^the balance available of M1 changed without the merchant's lock: /);
  });
});

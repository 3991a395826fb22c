/**
 * Another database session, such as an operator's psql, holds the locks of one merchant. Other merchants' payouts and deposits
 * must continue, and the merchant's own requests must take effect once when the lock is released.
 */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { lockKey } from '../../../src/storage/core/advisory-locks.ts';
import { type RunningGateway, startGateway } from '../../support/gateway/running-gateway.ts';
import type { TestMerchant } from '../../support/merchants/test-merchant.ts';
import { post } from '../../support/payouts/payout-request.ts';
import { until } from '../../support/tools/until.ts';

/** A time longer than `lock_timeout` in the full run. */
const HELD_FOR_MS = process.env['TEST_FULL'] ? 12_000 : 3_000;
/** Far less than the time for which the lock is held. */
const OTHERS_WITHIN_MS = 2_500;

let gateway: RunningGateway;

before(async () => {
  gateway = await startGateway();
});
after(() => gateway.verifyAndStop());

const LOCKS: Readonly<Record<string, string>> = {
  'its advisory lock': `select pg_advisory_xact_lock(${lockKey('merchant', '$1')})`,
  'the rows of its balances': 'select from ledger_accounts where merchant_id = $1 for update',
};

async function holdLock(lock: string, { id }: TestMerchant): Promise<() => Promise<void>> {
  const client: pg.PoolClient = await gateway.database.pool.connect();
  await client.query('begin');
  await client.query(lock, [id]);
  return async () => {
    await client.query('rollback');
    client.release();
  };
}

async function isLockAwaited(): Promise<boolean> {
  const { rowCount } = await gateway.database.pool.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rowCount !== 0;
}

for (const [what, lock] of Object.entries(LOCKS))
  it(`payouts of other merchants are accepted and paid while a session holds ${what}, and the merchant’s own afterwards`, async () => {
    const [held, free] = [await gateway.merchant(), await gateway.merchant()];
    const release = await holdLock(lock, held);
    const heldAt = Date.now();
    const bodies = Array.from({ length: 5 }, (_, index) => held.request(1, `h${index}`));
    const own = bodies.map((body) => post(`${gateway.url}/merchant/api/payout_send`, body));
    // A payout that shares the first commit of the locked merchant waits for the lock timeout.
    await until('a payout waits for the lock', isLockAwaited);
    const longest = { ms: 0 };
    for (let sent = 0; Date.now() - heldAt < HELD_FOR_MS; sent++) {
      const startedAt = Date.now();
      const mixed = Promise.all([free.pay(1, `f${sent}`), sent % 10 === 0 ? held.status('h0') : undefined]);
      assert.notEqual((await mixed)[0]['status'], 'Error');
      longest.ms = Math.max(longest.ms, Date.now() - startedAt);
      await sleep(50);
    }
    await release();
    assert.ok(longest.ms < OTHERS_WITHIN_MS, `an other merchant waited ${longest.ms} ms`);
    await free.final('f0');
    for (const answer of await Promise.all(own)) assert.ok(answer.status === 200 || answer.status === 500, answer.text);
    for (const body of bodies) {
      const answer = await post(`${gateway.url}/merchant/api/payout_send`, body);
      assert.equal(answer.status, 200);
      await held.final(String(body['payout_id']));
    }
    await gateway.verify();
  });

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openPayoutBench, type PayoutBench } from '../../../test/support/payouts/stored-payouts.ts';
import type { Payout } from '../../domain/payouts/payout.ts';
import { systemClock } from '../../foundation/clock.ts';
import type { Database } from '../core/database.ts';
import { createPayoutWaiting } from './payout-waiting.ts';

let bench: PayoutBench;

before(async () => {
  bench = await openPayoutBench();
});

after(() => bench.close());

/** The database of the bench. Its first query fails with `error`. */
function failingOnce(error: Error): Database {
  const { prepared } = bench.database;
  let failed = false;
  return {
    ...bench.database,
    prepared: async (...statement) => {
      if (failed) return prepared(...statement);
      failed = true;
      throw error;
    },
  };
}

const lostConnection = () => Object.assign(new Error('terminating connection'), { code: '57P01' });

describe('requests that wait for a final state', () => {
  it('a request continues to wait for a final state after its database connection is lost', async () => {
    await bench.fund('waits', 100n);
    const { payout } = await accepted('waits');
    const waiting = createPayoutWaiting(failingOnce(lostConnection()), systemClock);
    assert.equal((await waiting.waitUntilFinal(payout, 200)).state, 'pending');
  });

  it('a request that starts to wait during a query of other payouts gets the result of its payout', async () => {
    await bench.fund('first', 100n);
    await bench.fund('joins', 100n);
    const [first, joining] = [await accepted('first'), await accepted('joins')];
    let joined: Promise<Payout> | undefined;
    const database: Database = {
      ...bench.database,
      prepared: async (...statement) => {
        const rows = await bench.database.prepared<never>(...statement);
        joined ??= waiting.waitUntilFinal(joining.payout, 100);
        return rows;
      },
    };
    const waiting = createPayoutWaiting(database, systemClock);
    assert.equal((await waiting.waitUntilFinal(first.payout, 50)).payoutId, 'P');
    assert.equal((await joined)?.merchantId, 'joins');
  });

  it('a request that waits for a final state rejects with the database’s error at its timeout', async () => {
    await bench.fund('gives-up', 100n);
    const { payout } = await accepted('gives-up');
    const waiting = createPayoutWaiting(failingOnce(lostConnection()), systemClock);
    await assert.rejects(waiting.waitUntilFinal(payout, 0), { code: '57P01' });
  });

  it('a request that waits for a final state is rejected immediately on a permanent error', async () => {
    await bench.fund('broken', 100n);
    const { payout } = await accepted('broken');
    const waiting = createPayoutWaiting(failingOnce(new TypeError('a bug')), systemClock);
    await assert.rejects(waiting.waitUntilFinal(payout, 60_000), TypeError);
  });
});

async function accepted(merchantId: string) {
  const payout = await bench.newPayout(merchantId, 'P', 10n);
  await bench.store.accept(payout);
  return payout;
}

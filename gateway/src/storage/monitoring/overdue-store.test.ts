import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { merchantNamed } from '../../../test/support/merchants/merchant-named.ts';
import {
  openPayoutBench,
  type PayoutBench,
  plainCallbacks,
  reportOf,
} from '../../../test/support/payouts/stored-payouts.ts';
import { DECIDES_WITHIN_MS } from '../../domain/payments/attempts/payment-deadline.ts';
import { planSettlement } from '../../domain/payouts/plan-settlement.ts';
import { HOUR_MS } from '../../foundation/clock.ts';
import { createOverdueStore } from './overdue-store.ts';

let bench: PayoutBench;

before(async () => {
  bench = await openPayoutBench();
});
after(() => bench.verifyAndClose());

async function accepted(merchantId: string, payoutId: string, rail: string): Promise<void> {
  await bench.fund(merchantId, 100n);
  await bench.store.accept(await bench.newPayout(merchantId, payoutId, 100n, { rail }));
}

const SLOW = [{ rail: 'slow_rail', decidesWithinMs: 2 * DECIDES_WITHIN_MS }];
const listed = async (now: number, limit = 10) => {
  const payouts = await createOverdueStore(bench.database).payouts({ now, deadlines: SLOW, limit });
  return payouts.map(({ payoutId, stage, reference, deadline }) => [payoutId, stage, reference !== null, deadline]);
};

describe('the list of overdue payouts', () => {
  it('a pending payout is listed from its rail’s deadline or its broken seal until it is final', async () => {
    const first = bench.clock.now();
    await accepted('M1', 'quick', 'a_rail');
    await accepted('M1', 'slow', 'slow_rail');
    bench.clock.advance(HOUR_MS);
    const second = bench.clock.now();
    await accepted('M2', 'unknown rail', 'gone_rail');
    await bench.attempt('M1', 'quick');
    const quick = ['quick', 'sending', true, first + DECIDES_WITHIN_MS];
    const gone = ['unknown rail', 'queued', false, second + DECIDES_WITHIN_MS];
    const slow = ['slow', 'queued', false, first + 2 * DECIDES_WITHIN_MS];
    assert.deepEqual(await listed(first + DECIDES_WITHIN_MS - 1), []);
    assert.deepEqual(await listed(first + DECIDES_WITHIN_MS), [quick]);
    assert.deepEqual(await listed(second + DECIDES_WITHIN_MS), [quick, gone]);
    assert.deepEqual(await listed(first + 2 * DECIDES_WITHIN_MS - 1), [quick, gone]);
    assert.deepEqual(await listed(first + 2 * DECIDES_WITHIN_MS), [quick, gone, slow]);
    assert.deepEqual(await listed(first + 2 * DECIDES_WITHIN_MS, 1), [quick]);
    const rails = { payments: [], payouts: SLOW };
    assert.deepEqual(await createOverdueStore(bench.database).count(second + DECIDES_WITHIN_MS, rails), [
      { what: 'payouts', rail: 'a_rail', count: 1, oldestDeadline: first + DECIDES_WITHIN_MS },
      { what: 'payouts', rail: 'gone_rail', count: 1, oldestDeadline: second + DECIDES_WITHIN_MS },
    ]);
    const early = first + DECIDES_WITHIN_MS - 1;
    const breakSeal = (reason: string | null) =>
      bench.owner.query(`update payout_jobs set held_because = $1 where payout_id = 'slow'`, [reason]);
    await breakSeal('seal_broken');
    assert.deepEqual(await listed(early), [slow]);
    assert.deepEqual(await listed(first + DECIDES_WITHIN_MS), [slow, quick], 'a payout with a broken seal comes first');
    await breakSeal('rail_down');
    assert.deepEqual(await listed(early), []);
    await bench.store.settle({
      merchantId: 'M1',
      payoutId: 'quick',
      fence: null,
      plan: (facts) =>
        planSettlement(facts, reportOf('executed'), { merchant: merchantNamed('M1'), compose: plainCallbacks }),
    });
    assert.deepEqual(await listed(second + DECIDES_WITHIN_MS), [gone]);
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { merchantNamed } from '../../../test/support/merchants/merchant-named.ts';
import {
  NOON,
  openPayoutBench,
  type PayoutBench,
  plainCallbacks,
  reportOf,
} from '../../../test/support/payouts/stored-payouts.ts';
import type { PayoutListQuery } from '../../domain/payouts/payout-store.ts';
import { planSettlement } from '../../domain/payouts/plan-settlement.ts';
import { MINUTE_MS } from '../../foundation/clock.ts';

let bench: PayoutBench;
before(async () => {
  bench = await openPayoutBench();
});
after(() => bench.close());

/** `numbers` are the transaction ids in the order of acceptance, one minute apart. */
async function acceptInTurn(merchantId: string, numbers: readonly number[], minutes = (index: number) => index) {
  await bench.fund(merchantId, 100_000n);
  for (const [index, transactionId] of numbers.entries()) {
    const acceptedAt = NOON + minutes(index) * MINUTE_MS;
    const payout = await bench.newPayout(merchantId, `p${transactionId}`, 100n, { transactionId, acceptedAt });
    assert.equal((await bench.store.accept(payout)).kind, 'created');
  }
}

async function numbersOf(merchantId: string, change: Partial<PayoutListQuery> = {}): Promise<number[]> {
  const period = { from: NOON, to: NOON + 60 * MINUTE_MS };
  const whole = { merchantId, currency: 'EUR', payoutId: null, state: 'all', after: null, limit: 1_000 } as const;
  const payouts = await bench.store.list({ ...whole, ...period, ...change });
  return payouts.map(({ transactionId }) => transactionId);
}

describe('a list of payouts', () => {
  it('the pages of a list of payouts are ordered by time and complete', async () => {
    const numbers = [2_048, 1_024, 2_049, 1_025, 3_072, 1_026];
    await acceptInTurn('turns', numbers);
    assert.deepEqual(await numbersOf('turns'), numbers);
    const paged: number[] = [];
    for (let after: number | null = null; ; ) {
      const page = await numbersOf('turns', { after, limit: 2 });
      if (page.length === 0) break;
      paged.push(...page);
      after = page.at(-1) ?? null;
    }
    assert.deepEqual(paged, numbers);
  });

  it('payouts accepted at the same time are listed by number, across the end of a page', async () => {
    await acceptInTurn('ties', [13, 11, 12, 14], () => 1);
    assert.deepEqual(await numbersOf('ties', { limit: 2 }), [11, 12]);
    assert.deepEqual(await numbersOf('ties', { limit: 2, after: 12 }), [13, 14]);
  });

  it('a list of payouts after a number of another merchant starts at the next payout of this merchant', async () => {
    await acceptInTurn('gaps', [101, 103]);
    assert.deepEqual(await numbersOf('gaps', { after: 102 }), [103]);
    assert.deepEqual(await numbersOf('gaps', { after: 1 }), [101, 103]);
    assert.deepEqual(await numbersOf('gaps', { after: 101, from: NOON + MINUTE_MS }), [103]);
  });

  it('a list of payouts contains only the requested states and reads pending payouts from the queue', async () => {
    await acceptInTurn('states', [21, 22, 23]);
    for (const [payoutId, event] of [
      ['p21', 'executed'],
      ['p22', 'declined'],
    ] as const) {
      const plan = (facts: Parameters<typeof planSettlement>[0]) =>
        planSettlement(facts, reportOf(event), { merchant: merchantNamed('states'), compose: plainCallbacks });
      await bench.store.settle({ merchantId: 'states', payoutId, fence: null, plan });
    }
    assert.deepEqual(await numbersOf('states', { state: 'success' }), [21]);
    assert.deepEqual(await numbersOf('states', { state: 'blocked' }), [22]);
    assert.deepEqual(await numbersOf('states', { state: 'pending' }), [23]);
    assert.deepEqual(await numbersOf('states', { payoutId: 'p23', state: 'success' }), []);
    assert.deepEqual(await numbersOf('states', { payoutId: 'p23' }), [23]);
  });
});

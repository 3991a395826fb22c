/** A reference that comes again: refused, or carried out again where a test wants to see whether its client ever does that. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startWayForPayUnderTest } from './wayforpay-under-test.ts';

describe('a reference that comes again', () => {
  it('a hundred times at once is carried out once', async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    const answers = await Promise.all(Array.from({ length: 100 }, () => wayforpay.toCard({ orderReference: 'P1' })));
    const codes = answers.map(({ body }) => Number(body['reasonCode'])).sort();
    assert.deepEqual(codes, [1100, ...Array(99).fill(1112)]);
    const { executions, repeats } = await wayforpay.summary();
    assert.deepEqual([executions, repeats], [1, 99]);
  });

  const modes: readonly (readonly [amount: number, executions: number])[] = [
    [10, 2],
    [10.42, 2],
    [10.61, 2],
    [10.51, 0],
  ];
  for (const [amount, executions] of modes)
    it(`where nobody looks is carried out again: ${amount} is executed ${executions} times`, async (t) => {
      const wayforpay = await startWayForPayUnderTest(t);
      await wayforpay.faults({ dedupe: false });
      const pay = () => wayforpay.toCard({ orderReference: 'P1', amount });
      const { body } = await pay();
      assert.equal((await pay()).body['transactionStatus'], body['transactionStatus']);
      wayforpay.clock.advance(10_000);
      const summary = await wayforpay.summary();
      assert.deepEqual([summary['executions'], summary['repeats']], [executions, 1]);
      assert.deepEqual(summary['executed_over_once'], executions > 1 ? ['P1'] : []);
      assert.equal(summary['paid_out'], String(Math.round(amount * 100) * executions));
    });

  it('where nobody looks is answered, though the first time it was not', async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    await wayforpay.faults({ dedupe: false });
    const pay = () => wayforpay.toCard({ orderReference: 'P1', amount: 10.5 });
    assert.equal((await pay()).status, 500);
    assert.equal((await pay()).body['transactionStatus'], 'Approved');
    assert.equal((await wayforpay.summary())['executions'], 2);
  });
});

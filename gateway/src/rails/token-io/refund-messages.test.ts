/** Runs refunds against Token.io's simulator over HTTP. Its book proves that no refund was executed twice. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { deadlineAfter, noDeadline } from '../../../test/support/tools/deadlines.ts';
import type { PaymentOrder, RefundOrder } from '../../domain/payments/payment-rail.ts';
import { openTokenIoUnderTest, type TokenIoUnderTest } from './rail-under-test.ts';

describe('refunds through Token.io', () => {
  let bench: TokenIoUnderTest;

  before(async () => {
    bench = await openTokenIoUnderTest();
  });
  beforeEach(() => bench.reset());
  after(() => bench.close());

  const summary = () => bench.control('summary');
  const faults = (which: object) => bench.control('faults', which);
  const refund = (order: RefundOrder, deadline = noDeadline()) => bench.rail.refund?.(order, deadline);
  const askRefund = (order: RefundOrder) => bench.rail.askRefund?.(order, noDeadline());

  let refunds = 0;
  const refundOf = (payment: PaymentOrder, minor: bigint): RefundOrder => {
    const reference = `${++refunds}-ReFu1234`;
    return { payment, reference, money: { currency: 'EUR', minor }, startedAt: bench.clock.now() };
  };

  async function paid(): Promise<PaymentOrder> {
    const order = bench.order();
    const started = await bench.rail.start(order, null, noDeadline());
    assert.ok(started.kind === 'step');
    const { providerReference } = started;
    await bench.control('act', { id: providerReference, behaviour: 'agree' });
    await bench.pass(6_000);
    return { ...order, providerReference };
  }

  it('a Token.io refund is pending and then refunded, in parts up to the paid amount', async () => {
    const payment = await paid();
    const order = refundOf(payment, 5_000n);
    assert.deepEqual(await refund(order), { kind: 'pending' });
    assert.deepEqual(await askRefund(order), { kind: 'pending' });
    await bench.pass(4_000);
    assert.deepEqual(await askRefund(order), { kind: 'refunded' });
    const reason = 'HTTP 400 Field.Invalid `initiation.amount.value` is invalid';
    assert.deepEqual(await refund(refundOf(payment, 5_051n)), { kind: 'refused', reason });
    assert.deepEqual(await refund(refundOf(payment, 5_050n)), { kind: 'pending' });
    const { refunded_amount, refunded_over_paid } = await summary();
    assert.deepEqual([refunded_amount, refunded_over_paid], ['100.50', []]);
  });

  it('a Token.io refund is declined if the bank rejects it, and its outcome is unknown without a final status', async () => {
    for (const [refund_outcome, answer] of [
      ['rejected', { kind: 'refused', reason: 'INITIATION_REJECTED' }],
      ['no_final_status', { kind: 'unknown', reason: 'Token.io reports INITIATION_NO_FINAL_STATUS_AVAILABLE' }],
    ] as const) {
      await faults({ refund_outcome });
      const order = refundOf(await paid(), 4_000n);
      await refund(order);
      await bench.pass(4_000);
      assert.deepEqual(await askRefund(order), answer);
    }
  });

  for (const mode of ['accept_unanswered', 'accept_500']) {
    it(`a status query finds a refund order without a response, and Token.io creates it once (${mode})`, async () => {
      const order = refundOf(await paid(), 4_000n);
      await faults({ refunds: mode });
      assert.equal((await refund(order, deadlineAfter(150)))?.kind, 'unknown');
      await faults({ refunds: 'accept' });
      await bench.pass(4_000);
      for (let times = 0; times < 3; times++) assert.deepEqual(await askRefund(order), { kind: 'refunded' });
      const again = await refund(order);
      assert.ok(again?.kind === 'unknown' && again.reason.includes('Field.NotUnique'));
      const { refunds: given, refunded_amount } = await summary();
      assert.deepEqual([given, refunded_amount], [1, '40.00']);
    });
  }

  for (const mode of ['lose', 'refuse_503', 'error_200']) {
    it(`a lost or failed Token.io refund has an unknown outcome, and a status query does not find it (${mode})`, async () => {
      const order = refundOf(await paid(), 4_000n);
      await faults({ refunds: mode });
      assert.equal((await refund(order, deadlineAfter(150)))?.kind, 'unknown');
      await faults({ refunds: 'accept' });
      assert.deepEqual(await askRefund(order), { kind: 'not_found' });
    });
  }

  it('a refund of an unpaid or unknown payment is rejected, and a refund without Token.io’s id is not sent', async () => {
    const order = bench.order();
    const started = await bench.rail.start(order, null, noDeadline());
    assert.ok(started.kind === 'step');
    const { providerReference } = started;
    assert.equal((await refund(refundOf({ ...order, providerReference }, 1n)))?.kind, 'refused');
    assert.equal((await refund(refundOf({ ...order, providerReference: 'pm2:x:y' }, 1n)))?.kind, 'refused');
    assert.equal((await refund(refundOf(order, 1n)))?.kind, 'not_accepted');
    assert.equal((await refund(refundOf({ ...order, providerReference: '../refunds' }, 1n)))?.kind, 'not_accepted');
  });

  it('a Token.io refund is reported as not accepted only after a refused connection or credential', async () => {
    const order = refundOf(await paid(), 1n);
    const nobody = bench.connect({ url: 'http://127.0.0.1:1' });
    assert.equal((await nobody.rail.refund?.(order, noDeadline()))?.kind, 'not_accepted');
    assert.equal((await nobody.rail.askRefund?.(order, noDeadline()))?.kind, 'unknown');
    await nobody.close();
    const stranger = bench.connect({ keyId: 'another' });
    assert.equal((await stranger.rail.refund?.(order, noDeadline()))?.kind, 'not_accepted');
    assert.equal((await stranger.rail.askRefund?.(order, noDeadline()))?.kind, 'unknown');
    await stranger.close();
    await faults({ down: true });
    assert.equal((await refund(order))?.kind, 'unknown');
  });
});

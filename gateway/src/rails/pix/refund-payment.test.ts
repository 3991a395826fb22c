/**
 * Runs refunds against the bank's simulator, on one clock that the test moves. The bank's book proves what was
 * returned.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { deadlineAfter, noDeadline } from '../../../test/support/tools/deadlines.ts';
import type { PaidAnswer, PaymentOrder, PaymentRail, RefundOrder } from '../../domain/payments/payment-rail.ts';
import { openPixUnderTest, type PixUnderTest } from './rail-under-test.ts';
import { identifierOf } from './reference.ts';

describe('refunds over Pix', () => {
  let bench: PixUnderTest;
  let rail: PaymentRail;
  before(async () => {
    bench = await openPixUnderTest();
    ({ rail } = bench.connect());
  });
  beforeEach(() => bench.control('reset', {}));
  after(() => bench.close());

  const faults = (change: object) => bench.control('faults', change);
  const refund = (order: RefundOrder, ms?: number) =>
    rail.refund?.(order, ms === undefined ? noDeadline() : deadlineAfter(ms));
  const askRefund = (order: RefundOrder) => rail.askRefund?.(order, noDeadline());
  const refunded = async () => (await bench.control('summary'))['refunds_settled_amount'];

  async function started(): Promise<PaymentOrder> {
    const order = bench.order();
    assert.equal((await rail.start(order, null, noDeadline())).kind, 'step');
    return order;
  }
  async function paidBy(order: PaymentOrder): Promise<PaidAnswer> {
    const status = await rail.ask(order, noDeadline());
    assert.ok(status.kind === 'paid', status.kind);
    return status;
  }
  async function paidOrder(): Promise<PaymentOrder> {
    const order = await started();
    await bench.control('pay', { txid: identifierOf(order.reference) });
    return { ...order, providerReference: (await paidBy(order)).providerReference };
  }

  it('a refund of Pix becomes part of its charge', async () => {
    const order = await paidOrder();
    const back = bench.refundOf(order, 2_000n);
    assert.deepEqual(await refund(back), { kind: 'pending' });
    assert.deepEqual(await askRefund(back), { kind: 'pending' });
    bench.clock.advance(2_000);
    assert.deepEqual(await askRefund(back), { kind: 'refunded' });
    const { later, money } = await paidBy(order);
    const receiptKey = order.providerReference;
    assert.deepEqual(later, [
      { kind: 'refunded', key: back.reference, receiptKey, money: back.money, detail: 'ORIGINAL' },
    ]);
    assert.deepEqual(money, order.money);
  });

  it('a Pix refund without a stored Pix id finds the Pix through the charge', async () => {
    const order = { ...(await paidOrder()), providerReference: '' };
    assert.deepEqual(await refund(bench.refundOf(order)), { kind: 'pending' });
  });

  it('a Pix refund that fails at the bank is declined with the bank’s reason', async () => {
    await faults({ refunds: 'fail' });
    const back = bench.refundOf(await paidOrder());
    await refund(back);
    bench.clock.advance(2_000);
    assert.deepEqual(await askRefund(back), { kind: 'refused', reason: 'Saldo insuficiente' });
    assert.equal(await refunded(), '0.00');
  });

  it('a Pix refund of more than the payment is rejected, and the bank does not execute it', async () => {
    const back = bench.refundOf(await paidOrder(), 10_051n);
    assert.deepEqual(await refund(back), {
      kind: 'refused',
      reason: 'HTTP 400 Devolução inválida. As devoluções excederiam o valor do Pix.',
    });
    assert.deepEqual(await askRefund(back), { kind: 'not_found' });
  });

  it('a Pix refund that is sent several times is executed once', async () => {
    const back = bench.refundOf(await paidOrder(), 3_000n);
    await refund(back);
    assert.deepEqual(await refund(back), { kind: 'pending' });
    bench.clock.advance(2_000);
    assert.deepEqual(await refund(back), { kind: 'refunded' });
    assert.equal(await refunded(), '30.00');
  });

  it('a Pix refund without a usable response has an unknown outcome until a status query', async () => {
    const order = await paidOrder();
    await faults({ refunds: 'settle_unanswered' });
    const [taken, lost, failed] = [1_000n, 1_000n, 1_000n].map((minor) => bench.refundOf(order, minor));
    assert.ok(taken && lost && failed);
    assert.equal((await refund(taken, 150))?.kind, 'unknown');
    await faults({ refunds: 'lose' });
    assert.equal((await refund(lost, 150))?.kind, 'unknown');
    await faults({ refunds: 'settle_500' });
    assert.equal((await refund(failed))?.kind, 'unknown');
    bench.clock.advance(2_000);
    assert.deepEqual(await askRefund(taken), { kind: 'refunded' });
    assert.deepEqual(await askRefund(lost), { kind: 'not_found' });
    assert.deepEqual(await askRefund(failed), { kind: 'refunded' });
    assert.equal(await refunded(), '20.00');
  });

  it('a Pix refund of an unpaid charge is not accepted', async () => {
    const back = bench.refundOf(await started());
    assert.equal((await refund(back))?.kind, 'not_accepted');
    assert.equal((await askRefund(back))?.kind, 'unknown');
  });

  it('money that the Pix return mechanism takes back is reported as a chargeback', async () => {
    const order = await paidOrder();
    await bench.control('reverse', { endToEndId: order.providerReference, natureza: 'MED_FRAUDE' });
    const [{ key, ...news } = assert.fail('nothing went back')] = (await paidBy(order)).later ?? [];
    const receiptKey = order.providerReference;
    assert.deepEqual(news, { kind: 'charged_back', receiptKey, money: order.money, detail: 'MED_FRAUDE' });
    assert.match(key, new RegExp(`^${order.providerReference}/.`));
    assert.equal((await paidBy(order)).later?.[0]?.key, key);
  });

  describe('refunds of two Pix for one charge', () => {
    async function paidTwice() {
      const order = await started();
      await bench.control('pay', { txid: identifierOf(order.reference), behaviour: 'twice' });
      const { receiptKey: first = '', further: [{ receiptKey: second = '' } = assert.fail('one Pix')] = [] } =
        await paidBy(order);
      assert.notEqual(first, second);
      return { order: { ...order, providerReference: first }, first, second };
    }

    it('a refund returns the Pix in its request, and the bank’s notifications contain the same Pix', async () => {
      const { order, first, second } = await paidTwice();
      const backs = [second, first].map((receiptKey) => ({ ...bench.refundOf(order), receiptKey }));
      for (const back of backs) assert.deepEqual(await refund(back), { kind: 'pending' });
      bench.clock.advance(2_000);
      for (const back of backs) assert.deepEqual(await askRefund(back), { kind: 'refunded' });
      const { later = [] } = await paidBy(order);
      const named = (news: readonly { readonly key: string; readonly receiptKey?: string }[]) =>
        new Map(news.map(({ key, receiptKey }) => [key, receiptKey]));
      assert.deepEqual(named(later), named(backs.map(({ reference: key, receiptKey }) => ({ key, receiptKey }))));
      assert.equal(later.length, 2);
    });

    it('a chargeback contains the Pix that it reversed', async () => {
      const { order, first, second } = await paidTwice();
      for (const endToEndId of [second, first]) {
        await bench.control('reverse', { endToEndId, natureza: 'MED_FRAUDE' });
        const { later = [] } = await paidBy(order);
        const news = later.find(({ receiptKey }) => receiptKey === endToEndId);
        assert.equal(news?.kind, 'charged_back');
        assert.ok(news.key.startsWith(`${endToEndId}/`), news.key);
        assert.equal(later.length, endToEndId === second ? 1 : 2);
      }
    });
  });
});

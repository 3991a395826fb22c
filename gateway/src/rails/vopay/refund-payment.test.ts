/** Runs refunds against VoPay's simulator. Its book proves that no refund was executed twice. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { deadlineAfter, noDeadline } from '../../../test/support/tools/deadlines.ts';
import type { PaymentOrder, RefundOrder } from '../../domain/payments/payment-rail.ts';
import { DAY_MS, SECOND_MS } from '../../foundation/clock.ts';
import { openVoPayUnderTest, type VoPayUnderTest } from './rail-under-test.ts';
import { readListed, readRefund } from './refund-messages.ts';

describe('refunds over VoPay', () => {
  let bench: VoPayUnderTest;
  before(async () => {
    bench = await openVoPayUnderTest();
  });
  beforeEach(() => bench.reset());
  after(() => bench.close());

  const refund = (order: RefundOrder, deadline = noDeadline()) => bench.rail.refund?.(order, deadline);
  const askRefund = (order: RefundOrder) => bench.rail.askRefund?.(order, noDeadline());
  const faults = (which: object) => bench.control('faults', which);
  const summary = () => bench.control('summary');
  const taken = async () => {
    const entries = (await bench.control('book'))['entries'] as Record<string, unknown>[];
    return entries.findLast(({ type, kind }) => type === 'Interac Bulk Payout' && kind === 'accepted');
  };

  async function paid(): Promise<PaymentOrder> {
    const order = bench.order();
    const answer = await bench.rail.start(order, null, noDeadline());
    assert.ok(answer.kind === 'step');
    await bench.control('act', { reference: order.reference, behaviour: 'accept' });
    bench.clock.advance(SECOND_MS);
    return { ...order, providerReference: answer.providerReference };
  }

  it('a VoPay refund is pending with the security answer in its note', async () => {
    const order = bench.refundOf(await paid());
    const outcome = await refund(order);
    const { id, answer, notes } = (await taken()) ?? {};
    assert.deepEqual(outcome, { kind: 'pending', note: `the payer deposits it with the answer ${answer}` });
    assert.equal(notes, order.reference);
    assert.deepEqual(await askRefund(order), { kind: 'pending' });
    await bench.control('deposit', { id, answer });
    assert.deepEqual(await askRefund(order), { kind: 'refunded' });
    assert.equal((await summary())['balance'], '0.00');
  });

  it('a VoPay refund fails after too many wrong security answers', async () => {
    const order = bench.refundOf(await paid());
    await refund(order);
    const { id } = (await taken()) ?? {};
    for (let times = 0; times < 3; times++) await bench.control('deposit', { id, answer: 'wrong' });
    const reason = 'failed 2 - Recipient failed to answer the security question';
    assert.deepEqual(await askRefund(order), { kind: 'refused', reason });
    assert.equal((await summary())['balance'], '100.50');
  });

  it('a VoPay refund that its payer does not claim expires', async () => {
    const order = bench.refundOf(await paid());
    await refund(order);
    bench.clock.advance(SECOND_MS);
    assert.deepEqual(await askRefund(order), { kind: 'pending' });
    bench.clock.advance(30 * DAY_MS);
    assert.equal((await askRefund(order))?.kind, 'refused');
    assert.equal((await summary())['balance'], '100.50');
  });

  it('partial VoPay refunds are accepted up to the paid amount, and another refund is rejected', async () => {
    const payment = await paid();
    const parts = [bench.refundOf(payment, 5_000n), bench.refundOf(payment, 5_050n)];
    for (const part of parts) assert.equal((await refund(part))?.kind, 'pending');
    assert.equal((await refund(bench.refundOf(payment, 1n)))?.kind, 'refused');
    for (const part of parts) assert.deepEqual(await askRefund(part), { kind: 'pending' });
    assert.equal((await summary())['balance'], '0.00');
  });

  it('a VoPay refund of an unpaid payment is rejected', async () => {
    const order = bench.order();
    const answer = await bench.rail.start(order, null, noDeadline());
    assert.ok(answer.kind === 'step');
    const { providerReference } = answer;
    assert.equal((await refund(bench.refundOf({ ...order, providerReference })))?.kind, 'refused');
  });

  for (const [refunds, found] of [
    ['accept_unanswered', 'pending'],
    ['accept_500', 'pending'],
    ['accept_and_answer_error', 'pending'],
    ['lose', 'not_found'],
    ['answer_error', 'not_found'],
  ] as const)
    it(`a VoPay refund whose response was lost is searched for, and not requested again (${refunds})`, async () => {
      const order = bench.refundOf(await paid(), 4_000n);
      await faults({ refunds });
      assert.equal((await refund(order, deadlineAfter(150)))?.kind, 'unknown');
      for (let times = 0; times < 3; times++) assert.equal((await askRefund(order))?.kind, found);
      assert.equal((await summary())['refunds'], found === 'pending' ? 1 : 0);
    });

  it('a VoPay refund without a connection or permission is not accepted', async () => {
    const order = bench.refundOf(await paid());
    const nobody = bench.connect({ url: 'http://127.0.0.1:1/api/v2' });
    assert.equal((await nobody.rail.refund?.(order, noDeadline()))?.kind, 'not_accepted');
    assert.equal((await nobody.rail.askRefund?.(order, noDeadline()))?.kind, 'unknown');
    await nobody.close();
    await faults({ refunds: 'not_enabled' });
    assert.equal((await refund(order))?.kind, 'not_accepted');
  });

  describe('refunds in VoPay’s list', () => {
    const order = { reference: '5-ReFu1234', money: { minor: 100n }, payment: { providerReference: '11' } };
    const listed = (...rows: object[]) =>
      readListed(
        { Transactions: Object.fromEntries(rows.map((row, at) => [at, { TransactionID: '11', ...row }])) },
        order as RefundOrder,
      ).kind;
    const ours = { TransactionID: '12', Notes: '5-ReFu1234', DebitAmount: '1.00', TransactionStatus: 'successful' };

    const lists: readonly (readonly [what: string, rows: readonly object[], kind: string])[] = [
      ['with ours', [{}, ours], 'refunded'],
      ['with another of ours beside it', [{}, { ...ours, TransactionID: '13', Notes: '6-ReFu1234' }, ours], 'refunded'],
      ['with the payment alone', [{}], 'not_found'],
      ['with another of ours alone', [{}, { ...ours, Notes: '6-ReFu1234' }], 'not_found'],
      ['with an entry without a reference', [{}, { ...ours, Notes: '' }], 'unknown'],
      ['with two that are ours', [{}, ours, { ...ours, TransactionID: '13' }], 'unknown'],
      ['of another amount', [{}, { ...ours, DebitAmount: '2.00' }], 'unknown'],
      ['with an unknown status', [{}, { ...ours, TransactionStatus: 'gone' }], 'unknown'],
      ['without the payment', [], 'unknown'],
    ];
    for (const [what, rows, kind] of lists)
      it(`a VoPay list ${what} makes the refund ${kind}`, () => assert.equal(listed(...rows), kind));

    it('an unreadable list or response leaves the outcome of a VoPay refund unknown', () => {
      assert.equal(readListed({}, order as RefundOrder).kind, 'unknown');
      assert.equal(readRefund({ TransactionID: '' }), undefined);
    });
  });
});

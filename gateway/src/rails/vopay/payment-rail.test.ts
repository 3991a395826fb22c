/**
 * Runs payments against VoPay's simulator over HTTP. Both use one clock that the test moves. VoPay's book proves who
 * was charged.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { deadlineAfter, noDeadline } from '../../../test/support/tools/deadlines.ts';
import type { NoEffect, PaymentAnswer, PaymentOrder, PaymentStatus } from '../../domain/payments/payment-rail.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import { openVoPayUnderTest, type VoPayUnderTest } from './rail-under-test.ts';

describe('payments over VoPay', () => {
  let bench: VoPayUnderTest;
  before(async () => {
    bench = await openVoPayUnderTest();
  });
  beforeEach(() => bench.reset());
  after(() => bench.close());

  const start = (order: PaymentOrder, deadline = noDeadline()) => bench.rail.start(order, null, deadline);
  const ask = (order: PaymentOrder) => bench.rail.ask(order, noDeadline());
  const cancel = (order: PaymentOrder, deadline = noDeadline()) => bench.rail.cancel?.(order, deadline);
  const faults = (which: object) => bench.control('faults', which);
  const summary = () => bench.control('summary');
  const act = ({ reference }: PaymentOrder, behaviour: string) => bench.control('act', { reference, behaviour });
  const book = async () => (await bench.control('book'))['entries'] as Record<string, unknown>[];

  /** A payment whose payer has the message. */
  async function started(change: Partial<PaymentOrder> = {}): Promise<PaymentOrder> {
    const order = bench.order(change);
    const answer = await start(order);
    assert.ok(answer.kind === 'step', JSON.stringify(answer));
    bench.clock.advance(SECOND_MS);
    return { ...order, providerReference: answer.providerReference, kept: answer.keep };
  }

  async function paid(): Promise<PaymentOrder> {
    const order = await started();
    await act(order, 'accept');
    bench.clock.advance(SECOND_MS);
    return order;
  }

  const paidAnswer = ({ payer, money, providerReference }: PaymentOrder, minor = money.minor) => ({
    kind: 'paid',
    money: { currency: 'CAD', minor },
    payerAccount: payer.email,
    providerReference,
  });

  async function assertChargedOnce(order: PaymentOrder): Promise<void> {
    const { credits, charged_over_once } = await summary();
    assert.deepEqual([credits, charged_over_once], [1, []]);
    assert.equal((await book()).find(({ kind }) => kind === 'credited')?.['reference'], order.reference);
  }

  it('a started VoPay payment tells the payer to wait for a message from their bank', async () => {
    const order = bench.order();
    const answer = await start(order);
    assert.ok(answer.kind === 'step');
    assert.deepEqual(answer.step, { kind: 'elsewhere', at: 'bank_message' });
    assert.match(answer.providerReference, /^\d+$/);
    const [entry] = await book();
    assert.deepEqual(
      ['reference', 'amount', 'email', 'name', 'message'].map((name) => entry?.[name]),
      [order.reference, '100.50', order.payer.email, 'Zoé Tremblay', 'Maple Shop: N17'],
    );
  });

  it('a VoPay payment waits for the payer and then for the bank and is paid once', async () => {
    const order = await started();
    assert.equal((await ask(order)).kind, 'step');
    await act(order, 'accept_slowly');
    const { providerReference } = order;
    const pending = { kind: 'pending', isAuthorised: true, keep: 'clear', providerReference };
    assert.deepEqual(await ask(order), pending);
    assert.deepEqual(await bench.rail.handleReturn(order, { fields: { status: 'paid' } }, noDeadline()), pending);
    bench.clock.advance(10 * SECOND_MS);
    assert.deepEqual(await ask(order), paidAnswer(order));
    await assertChargedOnce(order);
  });

  it('the VoPay rail also understands the payment statuses of VoPay’s list of events', async () => {
    await faults({ wording: 'events' });
    const order = await started();
    assert.equal((await ask(order)).kind, 'step');
    await act(order, 'accept');
    bench.clock.advance(SECOND_MS);
    assert.deepEqual(await ask(order), paidAnswer(order));
    const declined = await started();
    await act(declined, 'decline');
    const answer = await ask(declined);
    assert.equal(answer.kind === 'refused' && answer.refusal, 'cancelled_by_payer');
  });

  for (const [behaviour, minor] of [
    ['accept_less', 9_950n],
    ['accept_more', 10_150n],
  ] as const)
    it(`a VoPay payment is paid with the amount that arrived, not the amount that was requested (${behaviour})`, async () => {
      const order = await started();
      await act(order, behaviour);
      bench.clock.advance(SECOND_MS);
      assert.deepEqual(await ask(order), paidAnswer(order, minor));
    });

  for (const [behaviour, refusal] of [
    ['decline', 'cancelled_by_payer'],
    ['expire', 'expired'],
    ['undeliverable', 'payer_details'],
    ['accept_without_funds', 'insufficient_funds'],
  ] as const)
    it(`a VoPay payment that failed is declined with its reason (${behaviour})`, async () => {
      const order = await started();
      await act(order, behaviour);
      bench.clock.advance(SECOND_MS);
      const answer = await ask(order);
      assert.ok(answer.kind === 'refused', JSON.stringify(answer));
      assert.deepEqual([answer.refusal, answer.canRetry], [refusal, true]);
      assert.equal(answer.providerReference, order.providerReference);
      assert.equal((await summary())['credits'], 0);
    });

  it('a VoPay payment without any action of the payer expires at the bank', async () => {
    const order = await started({ expiresAt: bench.clock.now() + 60 * DAY_MS });
    bench.clock.advance(30 * DAY_MS);
    const answer = await ask(order);
    assert.equal(answer.kind === 'refused' && answer.refusal, 'expired');
  });

  it('a money request that fails when it is sent is declined with VoPay’s reason', async () => {
    await faults({ money_requests: 'fail_at_once' });
    const answer = await start(bench.order());
    assert.ok(answer.kind === 'refused', JSON.stringify(answer));
    assert.match(answer.detail, /^failed 7 - /);
  });

  it('a payment that completed before VoPay’s response is found paid once', async () => {
    await faults({ money_requests: 'paid_before_reply' });
    const order = bench.order();
    const answer = await start(order);
    assert.ok(answer.kind === 'step');
    await bench.untilNotified(3);
    const { providerReference } = answer;
    assert.deepEqual(await ask({ ...order, providerReference }), paidAnswer({ ...order, providerReference }));
    await assertChargedOnce(order);
  });

  describe('repeated attempts of one payer at VoPay', () => {
    const again = (first: PaymentOrder) => bench.order({}, { email: first.payer.email });

    it('a second attempt of the same payer that VoPay flags as a duplicate is confirmed and paid', async () => {
      const first = await started();
      await act(first, 'decline');
      const second = again(first);
      const answer = await start(second);
      assert.equal(answer.kind === 'step' && answer.keep, 'clear');
      bench.clock.advance(SECOND_MS);
      await act(second, 'accept');
      bench.clock.advance(SECOND_MS);
      assert.equal((await ask(second)).kind, 'paid');
      await assertChargedOnce(second);
    });

    for (const confirmations of ['lose', 'answer_error', 'accept_unanswered', 'accept_and_answer_error'])
      it(`a VoPay payment flagged as a duplicate is confirmed later if its confirmation got no response (${confirmations})`, async () => {
        const first = await started();
        const second = again(first);
        await faults({ confirmations });
        const answer = await start(second, deadlineAfter(200));
        assert.ok(answer.kind === 'step', JSON.stringify(answer));
        assert.equal(answer.keep, 'flagged');
        await faults({ confirmations: 'accept' });
        const { providerReference, keep: kept } = answer;
        const asked = await ask({ ...second, providerReference, kept });
        assert.equal(asked.kind === 'step' && asked.keep, 'clear');
        bench.clock.advance(SECOND_MS);
        await act(second, 'accept');
      });

    it('a status query confirms a VoPay payment flagged as a duplicate whose first response was lost', async () => {
      const first = await started();
      const second = again(first);
      await faults({ money_requests: 'accept_unanswered' });
      assert.equal((await start(second, deadlineAfter(150))).kind, 'unknown');
      assert.equal((await ask(second)).kind, 'step');
      bench.clock.advance(SECOND_MS);
      await act(second, 'accept');
    });
  });

  describe('queries about a payment at VoPay', () => {
    it('a payment that VoPay does not show yet is not found without VoPay’s number, and unknown with it', async () => {
      const order = await started();
      await faults({ look_ups: 'not_yet' });
      assert.equal((await ask({ ...order, providerReference: '' })).kind, 'not_found');
      assert.equal((await ask(order)).kind, 'unknown');
      await faults({ look_ups: 'answer_error' });
      assert.equal((await ask(order)).kind, 'unknown');
    });

    it('a VoPay response about another payer’s transaction leaves the outcome of a payment unknown', async () => {
      const [order, other] = [await started(), await paid()];
      const mixed = { ...order, providerReference: other.providerReference };
      assert.deepEqual(await ask(mixed), { kind: 'unknown', reason: 'VoPay’s response is about another transaction' });
    });
  });

  describe('cancelled payments at VoPay', () => {
    const late = async () => {
      const order = await started();
      bench.clock.advance(HOUR_MS);
      return order;
    };
    const refusalOf = (answer: PaymentAnswer | PaymentStatus | NoEffect | undefined) =>
      answer?.kind === 'refused' && answer.refusal;

    it('a cancelled payment is pending until VoPay cancels it, and its payer cannot pay it afterwards', async () => {
      const order = await late();
      const { providerReference } = order;
      const pending = { kind: 'pending', isAuthorised: false, keep: 'clear', providerReference };
      assert.deepEqual(await cancel(order), pending);
      assert.deepEqual(await cancel(order), pending);
      bench.clock.advance(2 * SECOND_MS);
      assert.equal(refusalOf(await ask(order)), 'expired');
      assert.equal((await summary())['ended'], 1);
    });

    it('a payment that is cancelled before VoPay sent it ends immediately', async () => {
      const order = bench.order();
      await start(order);
      assert.equal(refusalOf(await cancel(order)), 'cancelled_by_payer');
      bench.clock.advance(HOUR_MS);
      assert.equal((await summary())['ended'], 1);
    });

    it('a VoPay payment that was paid before its cancellation stays paid', async () => {
      const order = await late();
      await faults({ cancellations: 'paid_first' });
      assert.deepEqual(await cancel(order), paidAnswer(order));
      await assertChargedOnce(order);
    });

    it('cancelling a VoPay payment that the payer accepted returns its real outcome', async () => {
      const order = await late();
      await act(order, 'accept');
      const pending = await cancel(order);
      assert.equal(pending?.kind === 'pending' && pending.isAuthorised, true);
      bench.clock.advance(SECOND_MS);
      assert.equal((await cancel(order))?.kind, 'paid');
    });

    it('a cancellation without a response leaves the payment open until VoPay confirms its end', async () => {
      const order = await late();
      await faults({ cancellations: 'refuse' });
      assert.equal((await cancel(order))?.kind, 'unknown');
      await faults({ cancellations: 'accept_unanswered' });
      assert.ok(['pending', 'unknown'].includes((await cancel(order, deadlineAfter(150)))?.kind ?? ''));
      await faults({ cancellations: 'accept' });
      assert.equal((await cancel(order))?.kind, 'pending');
      await faults({ down: true });
      assert.equal((await cancel(order))?.kind, 'unknown');
    });

    it('cancelling a payment that VoPay does not have returns not_found', async () => {
      assert.deepEqual(await cancel(bench.order()), { kind: 'not_found' });
    });
  });

  it('the VoPay rail waits at least 30 seconds before its first query and accepts “not found” as proof after 5 minutes', () => {
    const { askAfterMs, notFoundProofMs, paymentType, currencies, needs } = bench.rail;
    assert.ok(askAfterMs[0] >= 30 * SECOND_MS && notFoundProofMs >= 5 * MINUTE_MS);
    assert.deepEqual(
      [paymentType, [...currencies], needs],
      ['e_transfer', ['CAD'], ['firstName', 'lastName', 'email']],
    );
  });
});

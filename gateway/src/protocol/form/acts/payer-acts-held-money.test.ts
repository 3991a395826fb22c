import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type FormStage, formLink, openFormStage } from '../../../../test/support/form/form-stage.ts';
import { UNCOUNTED } from '../../../../test/support/form/limit-parts.ts';
import { cancelPayment } from '../../../domain/payments/attempts/leave-payment.ts';
import { settleAttempt } from '../../../domain/payments/attempts/settle-attempt.ts';
import type { PaymentAnswer } from '../../../domain/payments/payment-rail.ts';

const LEAVE: PaymentAnswer = {
  kind: 'step',
  step: { kind: 'redirect', url: 'https://bank.example/' },
  keep: '',
  providerReference: 'P1',
};
const SHORT: PaymentAnswer = {
  kind: 'paid',
  money: { currency: 'EUR', minor: 1_000n },
  payerAccount: '',
  providerReference: 'P1',
};

let stage: FormStage;
let orders = 0;

before(async () => {
  stage = await openFormStage();
  stage.addMerchant('M1');
});
beforeEach(() => {
  stage.script.length = 0;
  stage.calls.length = 0;
});
after(async () => {
  assert.deepEqual(stage.internalErrors, []);
  await stage.close();
});

const linkOf = (order: string, amount = '12.50') =>
  formLink({ order, amount, payment_type: 'open_banking', bank_id: 'credit' });

/** A payer whose bank sent a shortfall, which the operator has not resolved yet. */
async function paidShort() {
  const payer = stage.payer();
  const order = `H${++orders}`;
  stage.script.push(LEAVE, SHORT);
  const { address, token } = await payer.press(await payer.open(linkOf(order)), 'pay');
  await payer.open(new URL(stage.calls[0]?.order.returnUrl ?? '').pathname);
  assert.equal(await stage.standing(token), 'pending paid');
  return { payer, order, address, token };
}

describe('a payment with held money', () => {
  it('a payment with held money blocks every other form for its order', async () => {
    const { payer, order, address, token } = await paidShort();
    for (const amount of ['12.50', '0.01']) {
      const stranger = stage.payer();
      const page = await stranger.press(await stranger.open(linkOf(order, amount)), 'pay');
      assert.deepEqual([page.status, page.heading], [409, 'This order is already being paid'], amount);
    }
    assert.equal(await stage.standing(token), 'pending paid');
    assert.equal((await payer.open(address)).heading, 'The payment is being confirmed');
    assert.deepEqual(
      stage.calls.map(({ call }) => call),
      ['start', 'handle_return'],
    );
  });

  it('a payment with held money is not cancelled by a payer who acts on an outdated page', async () => {
    const { token } = await paidShort();
    const { deposit } = await stage.record(token);
    assert.ok(deposit);
    assert.equal(await cancelPayment(stage.payments, { deposit }), 'in_flight');
    assert.equal(await stage.standing(token), 'pending paid');
  });

  it('a payment with held money does not get a second attempt from a payer who acts on an outdated page', async () => {
    const { token } = await paidShort();
    const { session, deposit, attempts } = await stage.record(token);
    const [attempt] = attempts;
    assert.ok(deposit && attempt);
    const again = { ...attempt, reference: '1-AbCdEfGh' };
    const outcome = await stage.payments.store.begin({
      session,
      deposit,
      displace: () => assert.fail(),
      attempt: again,
      card: null,
      counted: UNCOUNTED,
      wallet: null,
      receiptTo: null,
      attemptsSeen: 1,
      mostAttempts: 5,
    });
    assert.equal(outcome.kind, 'in_flight');
  });

  it('the page of a cancelled payment stops saying “not charged” once money arrives', async () => {
    const payer = stage.payer();
    stage.script.push(LEAVE, LEAVE);
    const page = await payer.press(await payer.open(linkOf(`H${++orders}`)), 'pay');
    const cancelled = await payer.press(page, 'cancel');
    assert.match(cancelled.text, /You have not been charged/);
    const { attempts } = await stage.record(page.token);
    const [attempt] = attempts;
    const rail = stage.payments.rails.find(({ name }) => name === attempt?.rail);
    assert.ok(attempt && rail);
    await settleAttempt(stage.payments, rail, attempt, SHORT);
    assert.equal(await stage.standing(page.token), 'fail paid');
    const later = await payer.open(page.address);
    assert.match(later.text, /If you have paid already, do not pay again: contact the shop/);
    assert.doesNotMatch(later.text, /not been charged/);
  });
});

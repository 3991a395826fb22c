import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type FormStage, formLink, openFormStage } from '../../../../test/support/form/form-stage.ts';
import { until } from '../../../../test/support/tools/until.ts';
import type { PaymentAnswer } from '../../../domain/payments/payment-rail.ts';
import { SECOND_MS } from '../../../foundation/clock.ts';

const PAID: PaymentAnswer = {
  kind: 'paid',
  money: { currency: 'EUR', minor: 1_250n },
  payerAccount: '',
  providerReference: 'P1',
};

let stage: FormStage;

before(async () => {
  stage = await openFormStage();
  stage.addMerchant('M1');
});
after(async () => {
  assert.deepEqual(stage.internalErrors, []);
  await stage.close();
});

/** A provider that responds only when the test lets it. */
function slowly(): (answer: PaymentAnswer) => void {
  const { promise, resolve } = Promise.withResolvers<PaymentAnswer>();
  stage.script.push(promise);
  return resolve;
}

async function pressed(order: string) {
  const payer = stage.payer();
  const page = await payer.open(formLink({ order, payment_type: 'open_banking', bank_id: 'credit' }));
  const before = stage.calls.length;
  const answer = payer.press(page, 'pay');
  await until('the provider is called', () => stage.calls.length > before);
  return { payer, page, answer };
}

describe('a payer whose provider is slow', () => {
  it('a payer of a slow provider sees a waiting page after ten seconds, and the attempt continues', async () => {
    const letAnswer = slowly();
    const { page, answer } = await pressed('S1');
    stage.bench.clock.advance(10 * SECOND_MS - 1);
    stage.bench.clock.advance(1);
    const waiting = await answer;
    assert.deepEqual([waiting.status, waiting.acts.includes('pay')], [200, false]);
    assert.equal(await stage.standing(page.token), 'pending starting');
    letAnswer(PAID);
    await until('it is paid', async () => (await stage.standing(page.token)) === 'success paid');
  });

  it('a payer sees the result immediately if the provider responds within ten seconds', async () => {
    const letAnswer = slowly();
    const { page, answer } = await pressed('S2');
    stage.bench.clock.advance(9 * SECOND_MS);
    letAnswer(PAID);
    assert.equal((await answer).heading, 'Payment received');
    assert.equal(await stage.standing(page.token), 'success paid');
  });
});

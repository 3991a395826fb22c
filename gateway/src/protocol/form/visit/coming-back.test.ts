import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type FormStage, formLink, openFormStage } from '../../../../test/support/form-stage.ts';
import type { PaymentAnswer } from '../../../domain/payments/payment-rail.ts';

const LEAVE: PaymentAnswer = {
  kind: 'step',
  step: { kind: 'redirect', url: 'https://bank.example/' },
  keep: '',
  providerReference: 'P1',
};
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

/** A browser that has opened the order's link, with the cookie that it received. */
async function visitorOf(order: string) {
  const response = await fetch(stage.url + linkOf(order), { redirect: 'manual' });
  const cookie = response.headers.get('set-cookie') ?? '';
  return { cookie, payer: stage.payer({ cookie: cookie.split(';')[0] ?? '' }) };
}

const linkOf = (order: string) => formLink({ order, payment_type: 'open_banking', bank_id: 'credit' });

async function paying(payer: ReturnType<FormStage['payer']>, order: string) {
  return payer.press(await payer.open(linkOf(order)), 'pay');
}

describe('a payer who opens an order’s link again', () => {
  it('the visitor cookie is set once, and hidden from scripts and other sites', async () => {
    const { cookie, payer } = await visitorOf('C0');
    assert.match(cookie, /^__Host-visitor=[A-Za-z0-9]{43}; Path=\/; Max-Age=86400; HttpOnly; Secure; SameSite=Lax$/);
    await payer.open(linkOf('C0'));
    assert.ok(!payer.seen.some((answer) => answer.includes('set-cookie')));
  });

  it('a payer who opens the link again in the same browser finds the payment and pays once', async () => {
    const { payer } = await visitorOf('C1');
    stage.script.push(LEAVE);
    const left = await paying(payer, 'C1');
    assert.equal(left.heading, 'Confirm at Crédit Agricole');
    const again = await paying(payer, 'C1');
    assert.deepEqual([again.heading, again.token === left.token], ['Confirm at Crédit Agricole', false]);
    assert.equal(stage.told.length, 1, 'the bank received one request');
    stage.script.push(PAID);
    await payer.open(new URL(stage.told[0]?.order.returnUrl ?? '').pathname);
    assert.deepEqual(
      [await stage.standing(again.token), await stage.standing(left.token)],
      Array(2).fill('success paid'),
    );
    assert.equal((await paying(payer, 'C1')).heading, 'This order is already paid');
  });

  it('a visitor cookie of another name, which a neighbouring host can set, is ignored', async () => {
    const { cookie } = await visitorOf('C2');
    const [value = ''] = cookie.split(';');
    for (const before of ['\u00a0', '\t', 'x', '"']) {
      const response = await fetch(stage.url + linkOf('C2'), {
        redirect: 'manual',
        headers: { cookie: `a=b;${before}${value}` },
      });
      assert.ok(response.headers.has('set-cookie'), JSON.stringify(before));
    }
    for (const cookies of [value, `a=b; ${value}`, `a=b;${value}; c=d`]) {
      const response = await fetch(stage.url + linkOf('C2'), { redirect: 'manual', headers: { cookie: cookies } });
      assert.ok(!response.headers.has('set-cookie'), cookies);
    }
  });

  it('a payer in another browser sees that the order is being paid already', async () => {
    const [{ payer }, { payer: other }] = await Promise.all([visitorOf('C2'), visitorOf('C2')]);
    stage.script.push(LEAVE);
    await paying(payer, 'C2');
    const page = await paying(other, 'C2');
    assert.deepEqual([page.status, page.heading], [409, 'This order is being paid already']);
  });
});

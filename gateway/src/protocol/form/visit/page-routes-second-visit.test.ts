import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type FormStage, formLink, openFormStage } from '../../../../test/support/form/form-stage.ts';
import { WIRE_FORM_KEY } from '../../../../test/support/merchants/wire-merchants.ts';
import type { PaymentAnswer } from '../../../domain/payments/payment-rail.ts';
import { Secret } from '../../../foundation/secret.ts';
import { md5Sign } from '../../signatures/merchant-signature.ts';

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
async function visitorOf(order: string, signature?: 'signed') {
  const response = await fetch(stage.url + linkOf(order, signature), { redirect: 'manual' });
  const cookie = response.headers.get('set-cookie') ?? '';
  return { cookie, payer: stage.payer({ cookie: cookie.split(';')[0] ?? '' }) };
}

function linkOf(order: string, signature?: 'signed'): string {
  const sign =
    signature && md5Sign({ merchant: 'M1', order, amount: '12.50', currency: 'EUR' }, new Secret(WIRE_FORM_KEY));
  return formLink({ order, payment_type: 'open_banking', bank_id: 'credit', ...(sign && { sign }) });
}

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
    const again = await payer.open(linkOf('C1'));
    assert.deepEqual([again.heading, again.token === left.token], ['Confirm at Crédit Agricole', false]);
    assert.equal(stage.calls.length, 1, 'the bank received one request');
    stage.script.push(PAID);
    await payer.open(new URL(stage.calls[0]?.order.returnUrl ?? '').pathname);
    assert.deepEqual(
      [await stage.standing(again.token), await stage.standing(left.token)],
      Array(2).fill('success paid'),
    );
    const receipt = await payer.open(linkOf('C1'));
    assert.deepEqual([receipt.heading, receipt.acts], ['Payment received', []]);
    assert.match(receipt.text, /<dt>Paid with<\/dt><dd>Bank account<\/dd>/);
    assert.equal(stage.calls.length, 2, 'the bank received no further request');
  });

  it('the signed link of a paid order shows another browser only that it is paid', async () => {
    const { payer } = await visitorOf('C3', 'signed');
    stage.script.push(PAID);
    assert.equal((await payer.press(await payer.open(linkOf('C3', 'signed')), 'pay')).heading, 'Payment received');
    assert.equal((await payer.open(linkOf('C3', 'signed'))).heading, 'Payment received');
    const stranger = await stage.payer().open(linkOf('C3', 'signed'));
    assert.deepEqual([stranger.status, stranger.heading], [409, 'This order is already paid']);
    assert.doesNotMatch(stranger.text, /Transaction number|12\.50/);
    const shop = encodeURIComponent('https://shop.example/basket');
    const { text } = await stage.payer().open(`${linkOf('C3', 'signed')}&payment_url=${shop}`);
    assert.match(text, /<a class="link-button" href="https:\/\/shop\.example\/basket"/);
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

  it('a payer in another browser sees that the order is already being paid', async () => {
    const [{ payer }, { payer: other }] = await Promise.all([visitorOf('C2'), visitorOf('C2')]);
    stage.script.push(LEAVE);
    await paying(payer, 'C2');
    const page = await paying(other, 'C2');
    assert.deepEqual([page.status, page.heading], [409, 'This order is already being paid']);
  });
});

/** What Adyen tells its client, when, how often, and signed how. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { aWhile, eventually } from '../kernel/inbox-under-test.ts';
import { type AdyenUnderTest, card, hmacKey, itemOf, startAdyenUnderTest } from './adyen-under-test.ts';
import { cardRefusedFor, madeUpCard } from './cards.ts';
import { signatureOf } from './webhooks.ts';

const told = (adyen: AdyenUnderTest) => adyen.inbox.received.map(({ body }) => itemOf(body));
const summaryOf = (items: readonly Record<string, unknown>[]) =>
  items.map((item) => `${item['eventCode']} ${item['success']}`);

describe('a webhook', () => {
  it('has the signature that Adyen’s libraries have in their tests', () => {
    const item = {
      pspReference: 'pspReference',
      originalReference: 'originalReference',
      merchantAccountCode: 'merchantAccount',
      merchantReference: 'reference',
      amount: { currency: 'EUR', value: 1000 },
      eventCode: 'REPORT_AVAILABLE',
      success: 'true',
    };
    const key = 'DFB1EB5485895CFA84146406857104ABB4CBCABDC8AAF103A624C8F6A3EAAB00';
    assert.equal(signatureOf(item, key), 'ZNBPtI+oDyyRrLyD1XirkKnQgIAlFc07Vj27TeHsDRE=');
  });

  it('follows each payment after a second, signed', async (t) => {
    const adyen = await startAdyenUnderTest(t);
    await adyen.pay();
    assert.deepEqual(told(adyen), []);
    adyen.clock.advance(1_000);
    await eventually('it comes', () => told(adyen).length === 1);
    const [item = {}] = told(adyen);
    const text = `${item['pspReference']}::TestECOM:order-1:1000:EUR:AUTHORISATION:true`;
    const signature = createHmac('sha256', Buffer.from(hmacKey, 'hex')).update(text).digest('base64');
    assert.equal((item['additionalData'] as Record<string, unknown>)['hmacSignature'], signature);
  });

  it('says why a payment was refused', async (t) => {
    const adyen = await startAdyenUnderTest(t);
    await adyen.pay({ paymentMethod: card(cardRefusedFor('12')) });
    adyen.clock.advance(1_000);
    await eventually('it comes', () => told(adyen).length === 1);
    assert.deepEqual([told(adyen)[0]?.['success'], told(adyen)[0]?.['reason']], ['false', 'Not enough balance']);
  });

  it('comes again until it is accepted, and not afterwards', async (t) => {
    const adyen = await startAdyenUnderTest(t);
    adyen.inbox.answer = () => ({ status: 500, body: '' });
    await adyen.pay();
    for (const [wait, times] of [
      [1_000, 1],
      [500, 2],
      [1_000, 3],
    ] as const) {
      await eventually('a timer waits', () => adyen.clock.delays().includes(wait));
      adyen.clock.advance(wait);
      await eventually('it comes', () => told(adyen).length === times);
    }
    adyen.inbox.answer = () => ({ status: 202, body: '' });
    await eventually('a timer waits', () => adyen.clock.delays().includes(2_000));
    adyen.clock.advance(2_000);
    await eventually('it is accepted', async () => (await adyen.summary())['untold'] === 0);
    adyen.clock.advance(600_000);
    await aWhile();
    assert.equal(told(adyen).length, 4);
  });

  it('tells the end of a payment that is never answered', async (t) => {
    const adyen = await startAdyenUnderTest(t, { delays: { holdMs: 50 } });
    const unanswered = assert.rejects(adyen.pay({ paymentMethod: card(madeUpCard('1', '01')) }));
    await eventually('it waits', () => adyen.clock.delays().includes(1_000));
    adyen.clock.advance(1_000);
    await unanswered;
    await eventually('it comes', () => told(adyen).length === 1);
    assert.deepEqual(summaryOf(told(adyen)), ['AUTHORISATION true']);
  });

  for (const [webhooks, expected] of [
    ['twice', ['AUTHORISATION true', 'AUTHORISATION true']],
    ['off', []],
  ] as const) {
    it(`comes as the fault ${webhooks} says`, async (t) => {
      const adyen = await startAdyenUnderTest(t);
      await adyen.control('faults', { webhooks });
      await adyen.pay();
      adyen.clock.advance(1_000);
      await eventually('all came', () => told(adyen).length === expected.length);
      await aWhile();
      assert.deepEqual(summaryOf(told(adyen)), expected);
    });
  }

  it('that is forged says that a refused payment is paid, under another key', async (t) => {
    const adyen = await startAdyenUnderTest(t);
    await adyen.control('faults', { webhooks: 'forged' });
    await adyen.pay({ paymentMethod: card(cardRefusedFor('2')) });
    adyen.clock.advance(1_000);
    await eventually('both came', () => told(adyen).length === 2);
    assert.deepEqual(summaryOf(told(adyen)).sort(), ['AUTHORISATION false', 'AUTHORISATION true']);
  });
});

describe('money that goes back', () => {
  const refund = (adyen: AdyenUnderTest, psp: unknown, value: number) =>
    adyen.post(`/payments/${psp}/refunds`, {
      merchantAccount: 'TestECOM',
      amount: { currency: 'EUR', value },
      reference: 'r1',
    });

  it('is a refund of ours, told under its own reference', async (t) => {
    const adyen = await startAdyenUnderTest(t);
    const { body } = await adyen.pay();
    const asked = await refund(adyen, body['pspReference'], 400);
    assert.deepEqual([asked.status, asked.body['status']], [201, 'received']);
    adyen.clock.advance(3_000);
    await eventually('it is decided', async () => (await adyen.summary())['refunds'] === 1);
    await eventually('it is to be told', () => adyen.clock.delays().includes(1_000));
    adyen.clock.advance(1_000);
    await eventually('both are told', () => told(adyen).length === 2);
    const item = told(adyen).find(({ eventCode }) => eventCode === 'REFUND');
    assert.deepEqual(
      [item?.['success'], item?.['merchantReference'], item?.['originalReference']],
      ['true', 'r1', body['pspReference']],
    );
    assert.deepEqual((await adyen.summary())['balance'], { EUR: 600 });
  });

  it('is never more than came', async (t) => {
    const adyen = await startAdyenUnderTest(t);
    const { body } = await adyen.pay();
    for (const value of [700, 700]) await refund(adyen, body['pspReference'], value);
    adyen.clock.advance(3_000);
    await eventually('one is decided', async () => (await adyen.summary())['refunds'] === 1);
    await aWhile();
    assert.deepEqual((await adyen.summary())['balance'], { EUR: 300 });
  });

  it('is a chargeback and its reversal, under one reference of the dispute', async (t) => {
    const adyen = await startAdyenUnderTest(t);
    await adyen.pay();
    await adyen.control('charge-back', { reference: 'order-1', value: 250 });
    assert.deepEqual((await adyen.summary())['balance'], { EUR: 750 });
    await adyen.control('reverse-chargeback', { reference: 'order-1' });
    adyen.clock.advance(1_000);
    await eventually('all are told', () => told(adyen).length === 3);
    const disputes = told(adyen).filter(({ eventCode }) => String(eventCode).startsWith('CHARGEBACK'));
    assert.equal(new Set(disputes.map(({ pspReference }) => pspReference)).size, 1);
    assert.deepEqual((await adyen.summary())['balance'], { EUR: 1_000 });
  });

  it('is of a payment that there is', async (t) => {
    const adyen = await startAdyenUnderTest(t);
    assert.equal((await adyen.control('charge-back', { reference: 'nobody' })).status, 400);
    assert.equal((await refund(adyen, 'NOBODY', 1)).body['errorCode'], '167');
  });
});

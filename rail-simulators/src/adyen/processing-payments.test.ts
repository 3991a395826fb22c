/** Adyen: payments, webhooks, refunds and chargebacks, and the book on disk. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { aWhile, eventually, openInbox } from '../kernel/inbox-under-test.ts';
import { assertUnanswered } from '../kernel/simulator-under-test.ts';
import { ManualClock } from '../manual-clock.ts';
import { behaviourOf, cardRefusedFor, isCardNumber, madeUpCard, REFUSAL_REASONS } from './cards.ts';
import { signatureOf } from './notifications.ts';
import {
  type AdyenUnderTest,
  BROWSER_INFO,
  card,
  HMAC_KEY,
  itemOf,
  payment,
  startAdyenUnderTest,
} from './under-test.ts';

describe('a payment at Adyen', () => {
  it('an Adyen payment is authorised and captured, and the book omits its card number', async (t) => {
    const adyen = await startAdyenUnderTest(t);
    const { status, body } = await adyen.pay();
    assert.equal(status, 200);
    assert.deepEqual(
      [body['resultCode'], body['merchantReference'], body['amount']],
      ['Authorised', 'order-1', { currency: 'EUR', value: 1_000 }],
    );
    assert.match(String(body['pspReference']), /^[A-Z0-9]{16}$/);
    assert.deepEqual((await adyen.summary())['balance'], { EUR: 1_000 });
    assert.doesNotMatch(JSON.stringify(await adyen.control('book')), /4111111111111111/);
  });

  it('Adyen refunds a payment that the demo invented and then sends a webhook for the refund only', async (t) => {
    const adyen = await startAdyenUnderTest(t);
    const earlier = { pspReference: 'EARLIER000000001', reference: 'order-0', currency: 'EUR', value: 1_000 };
    assert.equal((await adyen.control('remember', earlier)).status, 200);
    assert.equal((await adyen.control('remember', earlier)).status, 400);
    assert.equal((await adyen.control('remember', { ...earlier, pspReference: 'B', value: 0 })).status, 400);
    const asked = { merchantAccount: 'TestECOM', reference: 'back-0', amount: { currency: 'EUR', value: 1_000 } };
    assert.equal((await adyen.post(`/payments/${earlier.pspReference}/refunds`, asked)).status, 201);
    adyen.clock.advance(3_000);
    await eventually('it is to be notified', () => adyen.clock.delays().includes(1_000));
    adyen.clock.advance(1_000);
    await eventually('it is notified', () => notified(adyen).length > 0);
    assert.deepEqual(
      notified(adyen).map(({ eventCode, success }) => [eventCode, success]),
      [['REFUND', 'true']],
    );
  });

  it('an Adyen payment is declined with the reason of its card number', async (t) => {
    const adyen = await startAdyenUnderTest(t);
    for (const [code, reason] of Object.entries(REFUSAL_REASONS)) {
      const { body } = await adyen.pay({ reference: `order-${code}`, paymentMethod: card(cardRefusedFor(code)) });
      assert.deepEqual(
        [body['resultCode'], body['refusalReasonCode'], body['refusalReason']],
        ['Refused', code, reason],
      );
    }
    assert.equal((await adyen.summary())['authorised'], 0);
  });

  it('Adyen rejects an invalid payment request and does not execute anything', async (t) => {
    const adyen = await startAdyenUnderTest(t);
    const visa = '4111111111111111';
    const wrong: readonly (readonly [fields: Record<string, unknown>, errorCode: string])[] = [
      [{ paymentMethod: card('4111111111111112') }, '101'],
      [{ paymentMethod: card(visa, { cvc: '1234' }) }, '103'],
      [{ paymentMethod: card(visa, { expiryMonth: '13' }) }, '129'],
      [{ paymentMethod: card(visa, { expiryYear: '2025', expiryMonth: '12' }) }, '129'],
      [{ amount: { currency: 'EUR', value: 10.5 } }, '137'],
      [{ amount: { currency: 'EUR', value: '1000' } }, '137'],
      [{ amount: { currency: 'XXX', value: 1_000 } }, '138'],
      [{ reference: undefined }, '702'],
      [{ returnUrl: undefined }, '14_030'],
      [{ browserInfo: { ...BROWSER_INFO, screenWidth: undefined } }, '702'],
    ];
    for (const [fields, errorCode] of wrong) {
      const { status, body } = await adyen.pay(fields);
      assert.deepEqual([status, body['errorCode']], [422, errorCode], JSON.stringify(fields));
    }
    assert.equal((await adyen.pay({ merchantAccount: 'Another' })).status, 403);
    assert.equal((await adyen.pay({}, { 'x-api-key': 'wrong' })).status, 401);
    assert.equal((await adyen.post('/payments', '{')).status, 400);
    assert.equal((await adyen.summary())['payments'], 0);
  });

  it('an Adyen payment is accepted in the last month in which its card is valid', async (t) => {
    const adyen = await startAdyenUnderTest(t);
    const lastMonth = card('4111111111111111', { expiryMonth: '01', expiryYear: '2026' });
    assert.equal((await adyen.pay({ paymentMethod: lastMonth })).body['resultCode'], 'Authorised');
  });
});

describe('an idempotency key at Adyen', () => {
  it('Adyen executes a repeated request under one idempotency key once, and repeats its response', async (t) => {
    const adyen = await startAdyenUnderTest(t);
    const headers = { 'idempotency-key': 'k1' };
    const first = await adyen.pay({}, headers);
    assert.deepEqual(await adyen.pay({}, headers), first);
    assert.notDeepEqual(await adyen.pay({}, { 'idempotency-key': 'k2' }), first);
    assert.deepEqual((await adyen.summary())['references_authorised_over_one'], ['order-1']);
  });

  it('a repeated Adyen request gets error 704 while the first request is in progress', async (t) => {
    const adyen = await startAdyenUnderTest(t);
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    adyen.inbox.answer = () => held.then(() => ({ status: 200, body: '[accepted]' }));
    await adyen.control('faults', { webhooks: 'before_reply' });
    const first = adyen.pay({}, { 'idempotency-key': 'k1' });
    await eventually('the webhook comes', () => adyen.inbox.received.length === 1);
    const { status, body } = await adyen.pay({}, { 'idempotency-key': 'k1' });
    assert.deepEqual([status, body['errorCode']], [422, '704']);
    release();
    assert.equal((await first).body['resultCode'], 'Authorised');
  });

  it('Adyen does not store the idempotency key of a request with an invalid credential', async (t) => {
    const adyen = await startAdyenUnderTest(t);
    const headers = { 'idempotency-key': 'k1' };
    assert.equal((await adyen.pay({}, { ...headers, 'x-api-key': 'wrong' })).status, 401);
    assert.equal((await adyen.pay({}, headers)).body['resultCode'], 'Authorised');
  });
});

describe('the faults of Adyen’s API', () => {
  it('faults of Adyen’s API drop the request, drop its response, or return 500 for an executed request', async (t) => {
    const adyen = await startAdyenUnderTest(t);
    await adyen.control('faults', { unanswered: 1 });
    await assertUnanswered(adyen, adyen.pay({ reference: 'a' }));
    await adyen.control('faults', { answer_500_after: 1 });
    assert.equal((await adyen.post('/payments', payment({ reference: 'b' }))).status, 500);
    assert.equal((await adyen.summary())['authorised'], 2);
    await adyen.control('faults', { lost: 1 });
    await assertUnanswered(adyen, adyen.pay({ reference: 'c' }));
    assert.equal((await adyen.summary())['payments'], 2);
  });
});

describe('the test cards of Adyen', () => {
  it('each Adyen test card has a valid check digit', () => {
    for (const number of ['4212345678910006', cardRefusedFor('2'), cardRefusedFor('42'), madeUpCard('1', '09')])
      assert.ok(isCardNumber(number), number);
    assert.ok(!isCardNumber('4212345678910007'));
  });

  it('an Adyen payment with a card number without a rule is authorised', () => {
    for (const number of ['5555555555554444', madeUpCard('0', '99')])
      assert.equal(behaviourOf(number).outcome, 'authorise');
  });
});

const notified = (adyen: AdyenUnderTest) => adyen.inbox.received.map(({ body }) => itemOf(body));

const summaryOf = (items: readonly Record<string, unknown>[]) =>
  items.map((item) => `${item['eventCode']} ${item['success']}`);

describe('a webhook of Adyen', () => {
  it('an Adyen webhook has the signature of the test vector in Adyen’s libraries', () => {
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

  it('an Adyen webhook follows each payment after a second, signed', async (t) => {
    const adyen = await startAdyenUnderTest(t);
    await adyen.pay();
    assert.deepEqual(notified(adyen), []);
    adyen.clock.advance(1_000);
    await eventually('it comes', () => notified(adyen).length === 1);
    const [item = {}] = notified(adyen);
    const text = `${item['pspReference']}::TestECOM:order-1:1000:EUR:AUTHORISATION:true`;
    const signature = createHmac('sha256', Buffer.from(HMAC_KEY, 'hex')).update(text).digest('base64');
    assert.equal((item['additionalData'] as Record<string, unknown>)['hmacSignature'], signature);
  });

  it('an Adyen webhook contains the refusal reason of a payment', async (t) => {
    const adyen = await startAdyenUnderTest(t);
    await adyen.pay({ paymentMethod: card(cardRefusedFor('12')) });
    adyen.clock.advance(1_000);
    await eventually('it comes', () => notified(adyen).length === 1);
    assert.deepEqual(
      [notified(adyen)[0]?.['success'], notified(adyen)[0]?.['reason']],
      ['false', 'Not enough balance'],
    );
  });

  it('an Adyen webhook reports the outcome of a payment that never got a response', async (t) => {
    const adyen = await startAdyenUnderTest(t, { delays: { holdMs: 50 } });
    const unanswered = assert.rejects(adyen.pay({ paymentMethod: card(madeUpCard('1', '01')) }));
    await eventually('it waits', () => adyen.clock.delays().includes(1_000));
    adyen.clock.advance(1_000);
    await unanswered;
    await eventually('it comes', () => notified(adyen).length === 1);
    assert.deepEqual(summaryOf(notified(adyen)), ['AUTHORISATION true']);
  });

  for (const [webhooks, expected] of [
    ['twice', ['AUTHORISATION true', 'AUTHORISATION true']],
    ['off', []],
  ] as const) {
    it(`an Adyen webhook is delivered as the fault “${webhooks}” sets`, async (t) => {
      const adyen = await startAdyenUnderTest(t);
      await adyen.control('faults', { webhooks });
      await adyen.pay();
      adyen.clock.advance(1_000);
      await eventually('all came', () => notified(adyen).length === expected.length);
      await aWhile();
      assert.deepEqual(summaryOf(notified(adyen)), expected);
    });
  }

  it('a forged Adyen webhook reports a declined payment as paid and is signed with an invalid key', async (t) => {
    const adyen = await startAdyenUnderTest(t);
    await adyen.control('faults', { webhooks: 'forged' });
    await adyen.pay({ paymentMethod: card(cardRefusedFor('2')) });
    adyen.clock.advance(1_000);
    await eventually('both came', () => notified(adyen).length === 2);
    assert.deepEqual(summaryOf(notified(adyen)).sort(), ['AUTHORISATION false', 'AUTHORISATION true']);
  });
});

describe('reversed money at Adyen', () => {
  const refund = (adyen: AdyenUnderTest, psp: unknown, value: number) =>
    adyen.post(`/payments/${psp}/refunds`, {
      merchantAccount: 'TestECOM',
      amount: { currency: 'EUR', value },
      reference: 'r1',
    });

  it('Adyen’s webhook about a refund contains the refund’s own reference', async (t) => {
    const adyen = await startAdyenUnderTest(t);
    const { body } = await adyen.pay();
    const asked = await refund(adyen, body['pspReference'], 400);
    assert.deepEqual([asked.status, asked.body['status']], [201, 'received']);
    adyen.clock.advance(3_000);
    await eventually('it is decided', async () => (await adyen.summary())['refunds'] === 1);
    await eventually('it is to be notified', () => adyen.clock.delays().includes(1_000));
    adyen.clock.advance(1_000);
    await eventually('both are notified', () => notified(adyen).length === 2);
    const item = notified(adyen).find(({ eventCode }) => eventCode === 'REFUND');
    assert.deepEqual(
      [item?.['success'], item?.['merchantReference'], item?.['originalReference']],
      ['true', 'r1', body['pspReference']],
    );
    assert.deepEqual((await adyen.summary())['balance'], { EUR: 600 });
  });

  it('Adyen refunds never exceed the payment', async (t) => {
    const adyen = await startAdyenUnderTest(t);
    const { body } = await adyen.pay();
    for (const value of [700, 700]) await refund(adyen, body['pspReference'], value);
    adyen.clock.advance(3_000);
    await eventually('one is decided', async () => (await adyen.summary())['refunds'] === 1);
    await aWhile();
    assert.deepEqual((await adyen.summary())['balance'], { EUR: 300 });
  });

  it('an Adyen chargeback and its reversal share the reference of the dispute', async (t) => {
    const adyen = await startAdyenUnderTest(t);
    await adyen.pay();
    await adyen.control('charge-back', { reference: 'order-1', value: 250 });
    assert.deepEqual((await adyen.summary())['balance'], { EUR: 750 });
    await adyen.control('reverse-chargeback', { reference: 'order-1' });
    adyen.clock.advance(1_000);
    await eventually('all are notified', () => notified(adyen).length === 3);
    const disputes = notified(adyen).filter(({ eventCode }) => String(eventCode).startsWith('CHARGEBACK'));
    assert.equal(new Set(disputes.map(({ pspReference }) => pspReference)).size, 1);
    assert.deepEqual((await adyen.summary())['balance'], { EUR: 1_000 });
  });

  it('an Adyen modification of an unknown payment is rejected', async (t) => {
    const adyen = await startAdyenUnderTest(t);
    assert.equal((await adyen.control('charge-back', { reference: 'nobody' })).status, 400);
    assert.equal((await refund(adyen, 'NOBODY', 1)).body['errorCode'], '167');
  });
});

function newBookPath(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'adyen-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, 'data', 'adyen.jsonl');
}

describe('Adyen’s book on disk', () => {
  it('Adyen’s book stores a payment without its card number before the response and keeps it over a restart', async (t) => {
    const bookPath = newBookPath(t);
    const before = await startAdyenUnderTest(t, { bookPath });
    const numbers = Array.from({ length: 20 }, (_, number) => `order-${number}`);
    await Promise.all(numbers.map((reference) => before.pay({ reference })));
    const text = readFileSync(bookPath, 'utf8');
    assert.match(text, /no money moved/);
    assert.equal(text.match(/"kind":"authorised"/g)?.length, 20);
    assert.doesNotMatch(text, /4111111111111111|737/);
    const summary = await before.summary();
    await before.close();
    const after = await startAdyenUnderTest(t, { bookPath });
    assert.deepEqual(await after.summary(), summary);
    assert.equal((await after.control('reset', {})).status, 409);
  });

  it('Adyen never assigns a reference twice across restarts', async (t) => {
    const bookPath = newBookPath(t);
    const before = await startAdyenUnderTest(t, { bookPath });
    const first = await before.pay();
    await before.close();
    const after = await startAdyenUnderTest(t, { bookPath });
    assert.notEqual((await after.pay()).body['pspReference'], first.body['pspReference']);
  });

  it('after a restart Adyen repeats unaccepted webhooks and decides pending payments', async (t) => {
    const bookPath = newBookPath(t);
    const clock = new ManualClock();
    const inbox = await openInbox(t);
    inbox.answer = () => ({ status: 503, body: '' });
    const before = await startAdyenUnderTest(t, { bookPath, clock, inbox });
    await before.pay();
    await before.pay({ reference: 'order-2', paymentMethod: card(madeUpCard('1', '03')) });
    clock.advance(1_000);
    await eventually('it came', () => inbox.received.length === 1);
    await before.close();
    assert.deepEqual(clock.delays(), []);
    inbox.received.length = 0;
    inbox.answer = () => ({ status: 200, body: '[accepted]' });
    const after = await startAdyenUnderTest(t, { bookPath, clock, inbox });
    clock.advance(3_000);
    await eventually('both are authorised', async () => (await after.summary())['authorised'] === 2);
    await eventually('it is to be notified', () => clock.delays().includes(1_000));
    clock.advance(1_000);
    await eventually('all is notified', async () => (await after.summary())['unacknowledged'] === 0);
    assert.deepEqual(inbox.received.map(({ body }) => itemOf(body)['merchantReference']).sort(), [
      'order-1',
      'order-2',
    ]);
  });
});

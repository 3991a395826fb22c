/** What Adyen takes, refuses and repeats. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aWhile, eventually } from '../kernel/inbox-under-test.ts';
import { browserInfo, card, payment, startAdyenUnderTest } from './adyen-under-test.ts';
import { behaviourOf, cardRefusedFor, isCardNumber, madeUpCard, REFUSAL_REASONS } from './cards.ts';

describe('a payment', () => {
  it('is authorised and captured, and the book has it without its card’s number', async (t) => {
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

  it('is refused by the number of its card, for each reason', async (t) => {
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

  it('is not carried out when the request is wrong', async (t) => {
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
      [{ browserInfo: { ...browserInfo, screenWidth: undefined } }, '702'],
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

  it('with a card that is good to the end of its month is taken in that month', async (t) => {
    const adyen = await startAdyenUnderTest(t);
    const lastMonth = card('4111111111111111', { expiryMonth: '01', expiryYear: '2026' });
    assert.equal((await adyen.pay({ paymentMethod: lastMonth })).body['resultCode'], 'Authorised');
  });
});

describe('an idempotency key', () => {
  it('has a request carried out once, and answered each time alike', async (t) => {
    const adyen = await startAdyenUnderTest(t);
    const headers = { 'idempotency-key': 'k1' };
    const first = await adyen.pay({}, headers);
    assert.deepEqual(await adyen.pay({}, headers), first);
    assert.notDeepEqual(await adyen.pay({}, { 'idempotency-key': 'k2' }), first);
    assert.deepEqual((await adyen.summary())['references_authorised_over_one'], ['order-1']);
  });

  it('is told 704 while the first request is at work', async (t) => {
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

  it('does not keep what was refused for its sender', async (t) => {
    const adyen = await startAdyenUnderTest(t);
    const headers = { 'idempotency-key': 'k1' };
    assert.equal((await adyen.pay({}, { ...headers, 'x-api-key': 'wrong' })).status, 401);
    assert.equal((await adyen.pay({}, headers)).body['resultCode'], 'Authorised');
  });
});

describe('the faults of the API', () => {
  const soon = () => AbortSignal.timeout(100);

  it('leave a request unanswered or answered 500 that was carried out, and lose another', async (t) => {
    const adyen = await startAdyenUnderTest(t);
    await adyen.control('faults', { unanswered: 1 });
    await assert.rejects(adyen.post('/payments', payment({ reference: 'a' }), {}, soon()));
    await adyen.control('faults', { answer_500_after: 1 });
    assert.equal((await adyen.post('/payments', payment({ reference: 'b' }))).status, 500);
    assert.equal((await adyen.summary())['authorised'], 2);
    await adyen.control('faults', { lost: 1 });
    await assert.rejects(adyen.post('/payments', payment({ reference: 'c' }), {}, soon()));
    await aWhile();
    assert.equal((await adyen.summary())['payments'], 2);
  });

  it('are refused when their name or value is none', async (t) => {
    const adyen = await startAdyenUnderTest(t);
    for (const change of [{ unansered: 1 }, { lost: -1 }, { webhooks: 'sometimes' }, { captures: 'no' }, []])
      assert.equal((await adyen.control('faults', change)).status, 400);
  });
});

describe('the cards', () => {
  it('are numbers with a right check digit', () => {
    for (const number of ['4212345678910006', cardRefusedFor('2'), cardRefusedFor('42'), madeUpCard('1', '09')])
      assert.ok(isCardNumber(number), number);
    assert.ok(!isCardNumber('4212345678910007'));
  });

  it('of no special number are authorised', () => {
    for (const number of ['5555555555554444', madeUpCard('0', '99')])
      assert.equal(behaviourOf(number).outcome, 'authorise');
  });
});

/** What a client asks of Freedom Pay, and what it is answered. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aWhile } from '../kernel/inbox-under-test.ts';
import { cards, client, fieldsOf, signature, startFreedomPayUnderTest } from './freedom-pay-under-test.ts';

describe('a message to Freedom Pay', () => {
  it('is taken only from a merchant that it knows, under the right signature', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    const stranger = await freedomPay.pay({ pg_merchant_id: '1' });
    assert.deepEqual([stranger['pg_error_code'], stranger['pg_sig']], ['9998', undefined]);
    for (const wrong of ['', '0'.repeat(32), signature('reg2reg', {})]) {
      const refused = await freedomPay.pay({ pg_sig: wrong });
      assert.equal(refused['pg_error_code'], '1100');
      assert.equal(refused['pg_sig'], signature('p2p2nonreg', refused), 'the refusal is signed');
    }
    assert.equal((await freedomPay.summary())['payouts'], 0);
  });

  it('is signed over every field of it, in the order of their names', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    const paid = await freedomPay.pay({ zz_extra: 'also;signed' });
    assert.equal(paid['pg_status'], 'ok');
    assert.equal(paid['pg_sig'], signature('p2p2nonreg', paid));
  });

  it('is answered in XML by HTTP 200, also where something is wrong with it', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    const response = await fetch(`${freedomPay.url}/g2g/p2p2nonreg`, { method: 'POST', body: 'pg_merchant_id=<>' });
    const text = await response.text();
    assert.deepEqual([response.status, fieldsOf(text)['pg_status']], [200, 'error']);
    assert.match(text, /^<\?xml version="1\.0" encoding="utf-8"\?>\n<response>.*<\/response>\n$/);
  });

  it('names the field that is wrong', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    const faulty: readonly (readonly [fields: Readonly<Record<string, string>>, code: string, about: RegExp])[] = [
      [{ pg_order_id: '' }, '9403', /pg_order_id/],
      [{ pg_order_id: '1-AbCd1234' }, '9403', /pg_order_id/],
      [{ pg_amount: '0' }, '9403', /pg_amount/],
      [{ pg_amount: '1.005' }, '9403', /pg_amount/],
      [{ pg_currency: 'USD' }, '9403', /pg_currency/],
      [{ pg_payment_to: '411111111111' }, '9403', /pg_payment_to/],
      [{ pg_post_link: 'nowhere' }, '9403', /pg_post_link/],
      [{ pg_post_link: '' }, '9993', /pg_post_link/],
    ];
    for (const [fields, code, about] of faulty) {
      const refused = await freedomPay.pay(fields);
      assert.equal(refused['pg_error_code'], code);
      assert.match(refused['pg_error_description'] ?? '', about);
    }
    assert.equal((await freedomPay.summary())['payouts'], 0);
  });
});

describe('a payout', () => {
  it('is paid at once, and off the balance', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t, { float: '5000.00' });
    const paid = await freedomPay.pay({ pg_order_id: '1AbCd1234' });
    assert.deepEqual(
      [paid['pg_status'], paid['pg_order_id'], paid['pg_payment_amount'], paid['pg_balance']],
      ['ok', '1AbCd1234', '1000.00', '4000.00'],
    );
    const status = await freedomPay.statusOf('1AbCd1234');
    assert.deepEqual(
      [status['pg_status'], status['pg_payment_status'], status['pg_payment_id'], status['pg_amount']],
      ['ok', 'success', paid['pg_payment_id'], '1000.00'],
    );
    const balance = await freedomPay.post('/g2g/balance_status', { pg_currency: 'KZT' });
    assert.deepEqual([balance['pg_balance'], balance['pg_currency']], ['4000.00', 'KZT']);
  });

  it('fails at once, and says why also when it is asked about', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    const failed = await freedomPay.pay({ pg_order_id: '2AbCd1234', pg_payment_to: cards.failed });
    assert.deepEqual([failed['pg_status'], failed['pg_error_code']], ['error', '10001']);
    const status = await freedomPay.statusOf('2AbCd1234');
    assert.deepEqual(
      [status['pg_status'], status['pg_payment_status'], status['pg_error_code']],
      ['ok', 'error', '10001'],
    );
    assert.equal((await freedomPay.summary())['paid'], 0);
  });

  it('is not decided, and then paid or refused', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    for (const [card, end] of [
      [cards.paidLater, 'success'],
      [cards.failedLater, 'error'],
    ] as const) {
      const { pg_order_id: orderId = '', pg_status: status } = await freedomPay.pay({ pg_payment_to: card });
      assert.equal(status, 'pending');
      assert.equal((await freedomPay.statusOf(orderId))['pg_payment_status'], 'process');
      freedomPay.clock.advance(2_000);
      assert.equal((await freedomPay.statusOf(orderId))['pg_payment_status'], end);
    }
  });

  it('comes again under one number, and is paid again: the book tells', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    const same = { pg_order_id: '3AbCd1234', pg_description: 'M1/A3' };
    const [first, second] = [await freedomPay.pay(same), await freedomPay.pay(same)];
    assert.notEqual(first['pg_payment_id'], second['pg_payment_id']);
    assert.equal((await freedomPay.statusOf('3AbCd1234'))['pg_payment_id'], second['pg_payment_id']);
    const { paid, paid_over_once } = await freedomPay.summary();
    assert.deepEqual([paid, paid_over_once], [2, ['M1/A3']]);
  });

  it('is refused where more is asked for than there is', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t, { float: '1500.00' });
    await freedomPay.pay({ pg_payment_to: cards.paidLater });
    assert.equal((await freedomPay.pay())['pg_error_code'], '420');
    assert.equal((await freedomPay.pay({ pg_amount: '500.00' }))['pg_status'], 'ok');
  });

  it('that nobody knows is not found, without a signature', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    const { pg_error_code: code, pg_sig: sig } = await freedomPay.statusOf('4AbCd1234');
    assert.deepEqual([code, sig], ['11068', undefined]);
  });
});

describe('by a fault', () => {
  it('a payout is carried out and not said, or said to be and not carried out', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t, { delays: { holdMs: 60_000 } });
    const modes: readonly (readonly [mode: string, answer: string | undefined, isPaid: boolean])[] = [
      ['take_500', undefined, true],
      ['take_and_say_no', '9999', true],
      ['say_no', '9999', false],
      ['refuse', '9403', false],
      ['not_activated', '9992', false],
    ];
    for (const [payouts, code, isPaid] of modes) {
      await freedomPay.faults({ payouts });
      const before = (await freedomPay.summary())['paid'] as number;
      assert.equal((await freedomPay.pay())['pg_error_code'], code, payouts);
      assert.equal((await freedomPay.summary())['paid'], before + (isPaid ? 1 : 0), payouts);
    }
  });

  it('a payout is never answered, carried out or not', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    for (const [payouts, paid] of [
      ['lose', 0],
      ['take_unanswered', 1],
    ] as const) {
      await freedomPay.faults({ payouts });
      void freedomPay.pay().catch(() => undefined);
      await aWhile();
      assert.equal((await freedomPay.summary())['paid'], paid);
    }
    freedomPay.clock.advance(60_000);
  });

  it('a question finds nothing yet, or a number that is none, or fails', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    const { pg_order_id: orderId = '' } = await freedomPay.pay();
    await freedomPay.faults({ statuses: 'not_yet' });
    assert.equal((await freedomPay.statusOf(orderId))['pg_error_code'], '11068');
    await freedomPay.faults({ statuses: 'say_no' });
    assert.equal((await freedomPay.statusOf(orderId))['pg_error_code'], '9999');
    await freedomPay.faults({ statuses: 'number_zero' });
    assert.equal((await freedomPay.statusOf('5AbCd1234'))['pg_payment_id'], '0');
    assert.equal((await freedomPay.statusOf(orderId))['pg_payment_status'], 'success');
  });

  it('answers are signed wrongly or not at all, and in the other words', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    await freedomPay.faults({ signatures: 'wrong', wording: 'list' });
    const wrong = await freedomPay.pay();
    assert.deepEqual(
      [wrong['pg_status'], wrong['pg_sig'] === signature('p2p2nonreg', wrong, `not ${client.payoutSecret}`)],
      ['success', true],
    );
    await freedomPay.faults({ signatures: 'none' });
    assert.equal((await freedomPay.pay())['pg_sig'], undefined);
  });

  it('nothing is left', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    await freedomPay.faults({ empty: true });
    assert.equal((await freedomPay.pay())['pg_error_code'], '420');
    assert.equal((await freedomPay.post('/g2g/balance_status', { pg_currency: 'KZT' }))['pg_balance'], '0');
  });

  it('that nobody knows is refused', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    for (const wrong of [{ payouts: 'perhaps' }, { empty: 1 }, { colour: 'blue' }]) {
      assert.equal((await freedomPay.faults(wrong)).status, 400);
    }
  });
});

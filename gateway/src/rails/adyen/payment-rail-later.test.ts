/**
 * Sends Adyen's webhooks in every order against the simulator, and the refunds, chargebacks and failed captures of a
 * made payment.
 */

import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { cardRefusedFor } from '../../../../rail-simulators/src/adyen/cards.ts';
import { openAdyenScene } from '../../../test/support/rails/adyen-scene.ts';
import { aWhile } from '../../../test/support/rails/adyen-under-control.ts';
import { noDeadline } from '../../../test/support/tools/deadlines.ts';
import { until } from '../../../test/support/tools/until.ts';
import type { PaymentOrder } from '../../domain/payments/payment-rail.ts';
import { DAY_MS } from '../../foundation/clock.ts';
import { Secret } from '../../foundation/secret.ts';
import { adyenOrder, connectToAdyen, fastClock } from './rail-under-test.ts';

const PLAIN = '4111111111111111';

const scene = await openAdyenScene();
const { adyen, rail, start } = scene;
beforeEach(() => adyen.reset());
after(() => scene.close());

describe('Adyen webhooks about a payment', () => {
  it('an Adyen webhook that overtakes the response reports the same payment as the response', async () => {
    await adyen.faults({ webhooks: 'before_reply' });
    const order = adyenOrder();
    const reply = start(order, PLAIN);
    const news = await adyen.untilNotifiedOf(order.reference, 'paid');
    const answer = await reply;
    assert.ok(answer.kind === 'paid');
    assert.deepEqual({ ...answer, reference: order.reference }, news);
  });

  it('an Adyen webhook that arrives twice or late reports the same payment each time', async () => {
    for (const [webhooks, times] of [
      ['twice', 2],
      ['late', 1],
    ] as const) {
      await adyen.reset();
      await adyen.faults({ webhooks });
      const order = adyenOrder();
      await start(order, PLAIN);
      await until('all are notified', () => (adyen.notified.length === times ? true : undefined));
      for (const news of adyen.notified) assert.deepEqual(news, adyen.notified[0]);
    }
  });

  it('Adyen webhooks out of order are reported in the order of arrival', async () => {
    await adyen.faults({ webhooks: 'out_of_order' });
    const order = adyenOrder();
    await start(order, PLAIN);
    await adyen.act('charge-back', { reference: order.reference });
    await adyen.untilNotifiedOf(order.reference, 'paid');
    assert.deepEqual(
      adyen.notified.map(({ kind }) => kind),
      ['charged_back', 'paid'],
    );
  });

  it('a forged Adyen webhook is rejected as unauthentic', async () => {
    await adyen.faults({ webhooks: 'forged' });
    const order = adyenOrder();
    await start(order, cardRefusedFor('2'));
    await adyen.untilNotifiedOf(order.reference, 'refused');
    await until('the forged one came', () => (adyen.refusals.length > 0 ? true : undefined));
    assert.deepEqual([adyen.refusals, adyen.notified.map(({ kind }) => kind)], [['unauthentic'], ['refused']]);
  });

  it('an Adyen webhook with another amount reports that amount, so that the gateway can compare it', async () => {
    await adyen.faults({ webhooks: 'wrong_amount' });
    const order = adyenOrder();
    await start(order, PLAIN);
    assert.equal((await adyen.untilNotifiedOf(order.reference, 'paid')).money.minor, 99_999_999n);
  });
});

describe('events after an Adyen payment', () => {
  async function payment(change: Partial<PaymentOrder> = {}): Promise<PaymentOrder> {
    const order = adyenOrder(change);
    const answer = await start(order, PLAIN);
    assert.ok(answer.kind === 'paid');
    return { ...order, providerReference: answer.providerReference };
  }
  const refundOf = (order: PaymentOrder, minor = 1_050n) => ({
    payment: order,
    reference: adyenOrder().reference,
    money: { ...order.money, minor },
    startedAt: fastClock.now(),
  });
  const refund = (order: ReturnType<typeof refundOf>, deadline = noDeadline()) => rail.refund?.(order, deadline);
  const repeatRefund = (order: ReturnType<typeof refundOf>) => rail.repeatRefund?.(order, noDeadline());

  it('a refund is pending at Adyen and is notified under our reference', async () => {
    const order = await payment();
    const asked = refundOf(order, 400n);
    assert.deepEqual(await refund(asked), { kind: 'pending' });
    const news = await adyen.untilNotifiedOf(order.reference, 'refunded');
    assert.deepEqual([news.key, news.money], [asked.reference, asked.money]);
    assert.deepEqual((await adyen.summary())['balance'], { EUR: 650 });
  });

  it('a refund that is sent again after lost responses is executed once at Adyen', async () => {
    for (const faults of [{ unanswered: 1 }, { answer_500_after: 1 }, { lost: 1 }, {}]) {
      await adyen.reset();
      const order = await payment();
      await adyen.faults(faults);
      const asked = refundOf(order, 100n);
      assert.deepEqual(await refund(asked), { kind: 'pending' });
      assert.deepEqual(await refund(asked), { kind: 'pending' });
      await adyen.untilNotifiedOf(order.reference, 'refunded');
      await aWhile();
      assert.deepEqual((await adyen.summary())['refunds'], 1);
    }
  });

  it('a refund without any response from Adyen has an unknown outcome', async () => {
    const order = await payment();
    await adyen.faults({ unanswered: 100 });
    assert.equal((await refund(refundOf(order)))?.kind, 'unknown');
    await adyen.untilNotifiedOf(order.reference, 'refunded');
  });

  it('a query about an unknown refund executes it once, whether or not Adyen received the first request', async () => {
    for (const faults of [{ unanswered: 100 }, { lost: 100 }]) {
      await adyen.reset();
      const order = await payment();
      await adyen.faults(faults);
      const asked = refundOf(order, 100n);
      assert.equal((await refund(asked))?.kind, 'unknown');
      await adyen.faults({ unanswered: 0, lost: 0 });
      assert.deepEqual(await repeatRefund(asked), { kind: 'pending' });
      assert.deepEqual(await repeatRefund(asked), { kind: 'pending' });
      await adyen.untilNotifiedOf(order.reference, 'refunded');
      await aWhile();
      assert.deepEqual((await adyen.summary())['refunds'], 1);
    }
  });

  it('a query about an Adyen refund has an unknown outcome when the idempotency key may have expired or Adyen rejects the query', async () => {
    const order = await payment();
    const old = { ...refundOf(order), startedAt: fastClock.now() - 3 * DAY_MS };
    assert.equal((await repeatRefund(old))?.kind, 'unknown');
    assert.equal((await repeatRefund(refundOf({ ...order, providerReference: 'UNKNOWN' })))?.kind, 'unknown');
    assert.deepEqual((await adyen.summary())['refunds'], 0);
  });

  it('a refund that Adyen declines immediately or later is reported as undone', async () => {
    for (const refunds of ['refuse', 'fail_later']) {
      await adyen.reset();
      const order = await payment();
      await adyen.faults({ refunds });
      const asked = refundOf(order);
      await refund(asked);
      assert.equal((await adyen.untilNotifiedOf(order.reference, 'refund_undone')).key, asked.reference);
      assert.deepEqual((await adyen.summary())['balance'], { EUR: 1_050 });
    }
  });

  it('a refund of an unknown payment is rejected, and a refund without Adyen’s reference is not sent', async () => {
    const order = await payment();
    assert.equal((await refund(refundOf({ ...order, providerReference: 'UNKNOWN' })))?.kind, 'refused');
    assert.equal((await refund(refundOf({ ...order, providerReference: '' })))?.kind, 'not_accepted');
  });

  it('a refund that Adyen provably did not read is not accepted', async () => {
    const order = await payment();
    for (const other of [
      connectToAdyen('http://127.0.0.1:1'),
      connectToAdyen(adyen.url, { apiKey: new Secret('x') }),
    ]) {
      assert.equal((await other.rail.refund?.(refundOf(order), noDeadline()))?.kind, 'not_accepted');
      await other.close();
    }
  });

  it('a refund made in Adyen’s Customer Area is reported with its amount', async () => {
    const order = await payment();
    await adyen.act('refund', { reference: order.reference, value: 50 });
    assert.deepEqual((await adyen.untilNotifiedOf(order.reference, 'refunded')).money, { currency: 'EUR', minor: 50n });
  });

  it('a full or partial chargeback at Adyen and its reversal are reported under one key', async () => {
    const order = await payment();
    await adyen.act('charge-back', { reference: order.reference, value: 300 });
    const back = await adyen.untilNotifiedOf(order.reference, 'charged_back');
    assert.deepEqual(back.money, { currency: 'EUR', minor: 300n });
    assert.deepEqual((await adyen.summary())['balance'], { EUR: 750 });
    await adyen.act('reverse-chargeback', { reference: order.reference });
    assert.equal((await adyen.untilNotifiedOf(order.reference, 'chargeback_undone')).key, back.key);
    assert.deepEqual((await adyen.summary())['balance'], { EUR: 1_050 });
  });

  it('an authorisation cancelled at Adyen before its capture is reported as a debit', async () => {
    await adyen.faults({ captures: false });
    const order = await payment();
    await adyen.act('cancel', { reference: order.reference });
    assert.deepEqual((await adyen.untilNotifiedOf(order.reference, 'debited')).money, order.money);
    assert.deepEqual((await adyen.summary())['balance'], { EUR: 0 });
  });

  it('a failed capture at Adyen is reported as a debit', async () => {
    const order = await payment();
    await adyen.act('fail-capture', { reference: order.reference });
    assert.deepEqual((await adyen.untilNotifiedOf(order.reference, 'debited')).money, order.money);
    assert.deepEqual((await adyen.summary())['balance'], { EUR: 0 });
  });
});

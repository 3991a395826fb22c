/** Reads Adyen's webhooks in the form of the examples in its OpenAPI description, signed with a key of these tests. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PaymentNews } from '../../domain/payments/payment-rail.ts';
import { Secret } from '../../foundation/secret.ts';
import { ACCEPTED, createAdyenNotifications } from './notifications.ts';
import { hmacOf, signedTextOf } from './webhook-signature.ts';

const key = new Secret('44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056');
const configuration = { hmacKeys: [key], merchantAccount: 'GatewayECOM' };
const usual = {
  amount: { currency: 'EUR', value: 1000 },
  eventCode: 'AUTHORISATION',
  eventDate: '2026-11-20T10:00:00+01:00',
  merchantAccountCode: 'GatewayECOM',
  merchantReference: '7-AbCd1234',
  paymentMethod: 'visa',
  pspReference: 'QFQTPCQ8HXSKGK82',
  reason: '',
  success: 'true',
};
const money = { currency: 'EUR', minor: 1_000n };

function signedItem(change: object = {}, by = key) {
  const item = { ...usual, ...change };
  const { currency, value } = item.amount;
  const hmacSignature = hmacOf(signedTextOf({ ...item, amount: { currency, value: String(value) } }), by);
  return { NotificationRequestItem: { ...item, additionalData: { hmacSignature, cardSummary: '1111' } } };
}
const notifications = createAdyenNotifications(configuration);
const readText = (text: string) =>
  notifications.read({ body: Buffer.from(text), headers: {}, clientAddress: '203.0.113.1' });
const read = (...items: unknown[]) => readText(JSON.stringify({ live: 'false', notificationItems: items }));
function newsIn(reading: ReturnType<typeof read>): readonly PaymentNews[] {
  assert.ok(reading.ok);
  assert.equal(reading.value.acknowledgement, ACCEPTED);
  return reading.value.news.map((item) => (item.kind === 'payment' ? item.news : assert.fail(item.kind)));
}
const newsOf = (change: object) => newsIn(read(signedItem(change)));
const later = { originalReference: 'ORIGINAL00000001', pspReference: 'MODIFICATION0001' };

describe('Adyen webhooks', () => {
  it('the gateway acknowledges an Adyen webhook with [accepted]', () => {
    assert.deepEqual([ACCEPTED.status, ACCEPTED.body], [200, '[accepted]']);
  });

  it('an Adyen AUTHORISATION with success is read as a payment', () => {
    assert.deepEqual(newsOf({}), [
      {
        kind: 'paid',
        reference: '7-AbCd1234',
        money,
        payerAccount: 'visa 1111',
        providerReference: 'QFQTPCQ8HXSKGK82',
      },
    ]);
  });

  it('an Adyen AUTHORISATION without success is read as a decline with its mapped reason', () => {
    assert.deepEqual(newsOf({ success: 'false', reason: 'Not enough balance' }), [
      {
        kind: 'refused',
        reference: '7-AbCd1234',
        refusal: 'insufficient_funds',
        canRetry: true,
        detail: 'AUTHORISATION Not enough balance',
        providerReference: 'QFQTPCQ8HXSKGK82',
      },
    ]);
  });

  const changes: readonly (readonly [eventCode: string, success: string, kind: string, key: string])[] = [
    ['CAPTURE_FAILED', 'true', 'debited', 'MODIFICATION0001'],
    ['CANCELLATION', 'true', 'debited', 'MODIFICATION0001'],
    ['TECHNICAL_CANCEL', 'true', 'debited', 'MODIFICATION0001'],
    ['CHARGEBACK', 'true', 'charged_back', 'MODIFICATION0001'],
    ['SECOND_CHARGEBACK', 'true', 'charged_back', 'MODIFICATION0001/2'],
    ['CHARGEBACK_REVERSED', 'true', 'chargeback_undone', 'MODIFICATION0001'],
    ['REFUND', 'true', 'refunded', 'MODIFICATION0001'],
    ['CANCEL_OR_REFUND', 'true', 'refunded', 'MODIFICATION0001'],
    ['REFUND', 'false', 'refund_undone', 'MODIFICATION0001'],
    ['REFUND_FAILED', 'true', 'refund_undone', 'MODIFICATION0001'],
    ['REFUNDED_REVERSED', 'true', 'refund_undone', 'MODIFICATION0001'],
  ];
  for (const [eventCode, success, kind, newsKey] of changes) {
    it(`an Adyen ${eventCode} with success ${success} is read as ${kind}`, () => {
      assert.deepEqual(newsOf({ eventCode, success, reason: 'r', ...later }), [
        {
          kind,
          reference: '7-AbCd1234',
          providerReference: 'ORIGINAL00000001',
          key: newsKey,
          money,
          detail: `${eventCode} r`,
        },
      ]);
    });
  }

  it('an Adyen REFUND notification is matched to our refund by its reference', () => {
    const [news] = newsOf({ eventCode: 'REFUND', merchantReference: '7-AbCd1234/8-EfGh5678', ...later });
    assert.ok(news?.kind === 'refunded');
    assert.deepEqual([news.reference, news.key], ['7-AbCd1234', '8-EfGh5678']);
  });

  it('an Adyen event that does not affect our money is acknowledged and ignored', () => {
    for (const change of [
      { eventCode: 'NOTIFICATION_OF_CHARGEBACK' },
      { eventCode: 'NOTIFICATION_OF_FRAUD' },
      { eventCode: 'REQUEST_FOR_INFORMATION' },
      { eventCode: 'PREARBITRATION_WON' },
      { eventCode: 'CAPTURE' },
      { eventCode: 'CANCELLATION', success: 'false' },
      { eventCode: 'TECHNICAL_CANCEL', success: 'false' },
      { eventCode: 'REPORT_AVAILABLE', merchantReference: 'testMerchantRef1' },
      { eventCode: 'toString' },
      { merchantReference: 'another shop’s order' },
      { merchantAccountCode: 'AnotherECOM' },
    ])
      assert.deepEqual(newsOf(change), [], JSON.stringify(change));
  });

  it('an Adyen webhook reports one event per item', () => {
    const news = newsIn(read(signedItem(), signedItem({ merchantReference: '8-AbCd1234' })));
    assert.deepEqual(
      news.map(({ reference }) => reference),
      ['7-AbCd1234', '8-AbCd1234'],
    );
  });

  it('an Adyen webhook with one wrongly signed item is rejected completely', () => {
    const unauthentic = { ok: false, error: { kind: 'unauthentic' } };
    const tampered = signedItem();
    tampered.NotificationRequestItem.amount = { currency: 'EUR', value: 1 };
    const { additionalData: _, ...unsigned } = signedItem().NotificationRequestItem;
    const stranger = signedItem({}, new Secret('00'.repeat(32)));
    for (const bad of [tampered, { NotificationRequestItem: unsigned }, stranger]) {
      assert.deepEqual(read(bad), unauthentic);
      assert.deepEqual(read(signedItem(), bad), unauthentic);
    }
  });

  it('an unreadable Adyen webhook is rejected as malformed, not as unauthentic', () => {
    for (const body of [
      '',
      '[]',
      '{}',
      '{"notificationItems":[]}',
      '{"notificationItems":[1]}',
      '{"notificationItems":{}}',
    ])
      assert.deepEqual(readText(body), {
        ok: false,
        error: { kind: 'malformed', reason: 'notificationItems' },
      });
    for (const change of [
      { amount: { currency: 'JPY', value: 1 } },
      { pspReference: 'a b' },
      { originalReference: 'a/b' },
    ])
      assert.ok(!read(signedItem(change)).ok, JSON.stringify(change));
  });

  it('an Adyen amount with a fraction of a minor unit is rejected', () => {
    assert.ok(!read(signedItem({ amount: { currency: 'EUR', value: 10.5 } })).ok);
  });
});

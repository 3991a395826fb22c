/** Reads callbacks from bytes. payout-rail.test.ts tests the simulator's callbacks. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { createManualClock } from '../../foundation/clock.ts';
import { Secret } from '../../foundation/secret.ts';
import { createWayForPayNotifications } from './notifications.ts';

const KEY = 'flk3409refn54t54t*FNJRET';
const account = { merchantAccount: 'test_merch_n1', secretKey: new Secret(KEY) };
const notifications = createWayForPayNotifications(account, createManualClock(1_415_379_863_999));
const hmac = (text: string, key = KEY) => createHmac('md5', key).update(text).digest('hex');

function read(body: string) {
  return notifications.read({ body: Buffer.from(body), headers: {}, clientAddress: '' });
}

/** A callback about a payout to an account, signed like one. */
function notification(change: Record<string, unknown> = {}): string {
  const fields = {
    merchantAccount: 'test_merch_n1',
    orderReference: '17-AbCd1234',
    amount: 1500.0,
    currency: 'UAH',
    createdDate: 1_415_379_863,
    processingDate: 1_415_379_864,
    transactionStatus: 'Approved',
    reason: 'Ok',
    reasonCode: 1100,
    ...change,
  };
  const { merchantAccount, orderReference, amount, currency, transactionStatus, reasonCode } = fields;
  const text = [merchantAccount, orderReference, amount, currency, transactionStatus, reasonCode].join(';');
  return JSON.stringify({ merchantSignature: hmac(text), ...fields });
}

describe('WayForPay’s notifications', () => {
  it('a WayForPay notification is acknowledged with a signed time', () => {
    const reading = read(notification());
    assert.ok(reading.ok);
    const { status, contentType, body } = reading.value.acknowledgement;
    assert.deepEqual([status, contentType], [200, 'application/json']);
    assert.deepEqual(JSON.parse(body), {
      orderReference: '17-AbCd1234',
      status: 'accept',
      time: 1_415_379_863,
      signature: hmac('17-AbCd1234;accept;1415379863'),
    });
  });

  it('a WayForPay notification is reported with its amount', () => {
    const reading = read(notification());
    const money = { currency: 'UAH', minor: 150_000n };
    assert.deepEqual(reading.ok && reading.value.news, [{ kind: 'executed', reference: '17-AbCd1234', money }]);
  });

  const silent: readonly Record<string, unknown>[] = [
    { transactionStatus: 'InProcessing', reasonCode: 1131 },
    { transactionStatus: 'Declined', reasonCode: 1112 },
    { transactionStatus: 'Declined', reasonCode: 1131 },
    { transactionStatus: 'Approved', reasonCode: 1131 },
    { transactionStatus: 'WaitingAuthComplete' },
    { orderReference: 'DH783023' },
  ];
  for (const change of silent)
    it(`a WayForPay notification with ${JSON.stringify(change)} is acknowledged and ignored`, () => {
      const reading = read(notification(change));
      assert.deepEqual(reading.ok && [reading.value.news, reading.value.acknowledgement.status], [[], 200]);
    });

  it('a WayForPay notification with an invalid signature or a changed value is unauthentic', () => {
    const right = JSON.parse(notification());
    const wrong = [
      { merchantSignature: '' },
      { merchantSignature: undefined },
      { merchantSignature: right.merchantSignature.toUpperCase() },
      { merchantSignature: hmac('test_merch_n1;17-AbCd1234;1500;UAH;Approved;1100', 'another') },
      { amount: 1500.01 },
      { transactionStatus: 'Declined' },
      { orderReference: '18-AbCd1234' },
    ];
    for (const change of wrong)
      assert.deepEqual(read(JSON.stringify({ ...right, ...change })), { ok: false, error: { kind: 'unauthentic' } });
  });

  it('a WayForPay notification is malformed if it is not JSON, or is signed but has unusable content', () => {
    for (const body of [
      '',
      '[]',
      '{',
      notification({ merchantAccount: 'another' }),
      notification({ amount: 0 }),
      notification({ currency: 'X' }),
    ]) {
      const reading = read(body);
      assert.equal(!reading.ok && reading.error.kind, 'malformed', body);
    }
  });
});

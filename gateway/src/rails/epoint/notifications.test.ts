/** Reads callbacks from bytes. payout-rail.test.ts tests the simulator's callbacks. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { Secret } from '../../foundation/secret.ts';
import { createEpointNotifications } from './notifications.ts';

const KEY = 'd3hjsl38sd8kdfhbcea0be04eafde9e8e2bad2fb092d';
const notifications = createEpointNotifications({ privateKey: new Secret(KEY) });

function read(said: unknown, change: Readonly<Record<string, string>> = {}, key = KEY) {
  const data = Buffer.from(typeof said === 'string' ? said : JSON.stringify(said)).toString('base64');
  const signature = createHash('sha1').update(`${key}${data}${key}`).digest('base64');
  const body = new URLSearchParams({ data, signature, ...change }).toString();
  return notifications.read({ body: Buffer.from(body), headers: {}, clientAddress: '' });
}

/** The fields of Epoint's description. */
const notification = (change: object = {}) => ({
  order_id: '17-AbCd1234',
  status: 'success',
  code: '000',
  message: 'Təsdiq edildi',
  transaction: 'te000000001',
  operation_code: '100',
  card_mask: '411111******1111',
  amount: 30.75,
  other_attr: null,
  ...change,
});

describe('Epoint’s callbacks', () => {
  it('an Epoint callback with a final status is reported with its amount, and the response is OK', () => {
    const money = { currency: 'AZN', minor: 3_075n };
    assert.deepEqual(read(notification()), {
      ok: true,
      value: {
        news: [{ kind: 'executed', reference: '17-AbCd1234', money }],
        acknowledgement: { status: 200, contentType: 'text/plain; charset=utf-8', body: 'OK' },
      },
    });
    const failed = read(notification({ status: 'failed', code: '116' }));
    const reason = 'Epoint reports 116: not enough funds';
    const declined = { kind: 'declined', blockedReason: 'bank_declined', reason, reference: '17-AbCd1234', money };
    assert.deepEqual(failed.ok && failed.value.news, [declined]);
  });

  const silent: readonly object[] = [
    { status: 'new' },
    { status: 'error', code: '' },
    { status: 'server_error' },
    { status: 'failed', code: '911' },
    { status: 'odd' },
    { order_id: '15' },
    { order_id: undefined },
    { order_id: null },
    { order_id: undefined, operation_code: '001', card_id: 'ce000000001' },
  ];
  for (const change of silent)
    it(`an Epoint callback with ${JSON.stringify(change)} is acknowledged and ignored`, () => {
      const reading = read(notification(change));
      assert.deepEqual(reading.ok && [reading.value.news, reading.value.acknowledgement.status], [[], 200]);
    });

  it('an Epoint callback with an invalid signature or changed content is unauthentic', () => {
    const other = Buffer.from(JSON.stringify(notification({ amount: 1 }))).toString('base64');
    const wrong = [
      read(notification(), {}, 'another'),
      read(notification(), { signature: '' }),
      read(notification(), { data: other }),
    ];
    for (const reading of wrong) assert.deepEqual(reading, { ok: false, error: { kind: 'unauthentic' } });
    const nothing = notifications.read({ body: Buffer.alloc(0), headers: {}, clientAddress: '' });
    assert.deepEqual(nothing, { ok: false, error: { kind: 'unauthentic' } });
  });

  it('an Epoint callback with a valid signature but unusable content is malformed', () => {
    for (const said of [
      '[]',
      '{',
      notification({ amount: 'much' }),
      notification({ status: null }),
      notification({ code: 'long' }),
    ]) {
      const reading = read(said);
      assert.equal(!reading.ok && reading.error.kind, 'malformed', JSON.stringify(said));
    }
  });

  it('an Epoint callback that repeats our own request does not report an event', () => {
    const asked = {
      public_key: 'i000000001',
      card_id: 'ce1',
      order_id: '17-AbCd1234',
      amount: '30.75',
      currency: 'AZN',
    };
    const reading = read(asked);
    assert.equal(!reading.ok && reading.error.kind, 'malformed');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signatureOf } from '../../../../rail-simulators/src/stand-in-bank/notifier.ts';
import { Secret } from '../../foundation/secret.ts';
import { createStandInBankNotifications } from './notifications.ts';

const SECRET = 'stand-in-bank-secret';
const notifications = createStandInBankNotifications({ url: 'http://127.0.0.1:4010', secret: new Secret(SECRET) });

function read(body: string | Buffer, signature = signatureOf(body.toString('latin1'), SECRET)) {
  return notifications.read({
    body: Buffer.from(body),
    headers: { 'x-stand-in-signature': signature },
    clientAddress: '',
  });
}

const acknowledgement = { status: 200, contentType: 'text/plain', body: 'OK' };

const told = (fields: object) =>
  JSON.stringify({
    notification_id: 'n',
    reference: 'p-1',
    status: 'executed',
    reason: '',
    occurred_at: '',
    ...fields,
  });

describe('a notification of the stand-in bank', () => {
  it('tells of an execution, a decline, a reversal', () => {
    assert.deepEqual(read(told({})), {
      ok: true,
      value: { acknowledgement, news: [{ kind: 'executed', reference: 'p-1', money: null }] },
    });
    assert.deepEqual(read(told({ status: 'declined', reason: 'limit' })), {
      ok: true,
      value: {
        acknowledgement,
        news: [{ kind: 'declined', reference: 'p-1', money: null, code: '53', reason: 'limit' }],
      },
    });
    assert.deepEqual(read(told({ status: 'reversed' })), {
      ok: true,
      value: { acknowledgement, news: [{ kind: 'reversed', reference: 'p-1', money: null, reason: '' }] },
    });
  });

  it('brings along the amount where the bank names one', () => {
    const reading = read(told({ amount: '999999.99', currency: 'EUR' }));
    const [news] = reading.ok ? reading.value.news : [];
    assert.deepEqual(news && 'money' in news && news.money, { currency: 'EUR', minor: 99_999_999n });
  });

  it('is believed only under the right signature over these very bytes', () => {
    const body = told({});
    const right = signatureOf(body, SECRET);
    const wrong = [
      '',
      right.slice(0, -1),
      right.toUpperCase(),
      signatureOf(body, 'other'),
      signatureOf(`${body} `, SECRET),
    ];
    for (const signature of wrong) {
      assert.deepEqual(read(body, signature), { ok: false, error: { kind: 'unauthentic' } });
    }
    const unsigned = notifications.read({ body: Buffer.from(body), headers: {}, clientAddress: '' });
    assert.deepEqual(unsigned, { ok: false, error: { kind: 'unauthentic' } });
  });

  it('is malformed when it is authentic and makes no sense', () => {
    const senseless = [
      '',
      '[]',
      'null',
      '{',
      told({ reference: '' }),
      told({ reference: 'a b' }),
      told({ reference: 7 }),
      told({ status: 'pending' }),
      told({ status: '__proto__' }),
      told({ amount: '1e3', currency: 'EUR' }),
      told({ amount: '1.00' }),
      told({ amount: '1.00', currency: 'XXX' }),
    ];
    for (const body of senseless) {
      const reading = read(body);
      assert.equal(!reading.ok && reading.error.kind, 'malformed', body);
    }
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signatureOf } from '../../../../rail-simulators/src/adyen-transfers/notifications.ts';
import { Secret } from '../../foundation/secret.ts';
import { createAdyenTransfersNotifications } from './notifications.ts';

const KEY = 'D7DD5BA6146493707BF0BE7496F6404EC7A63616B7158EC927B9F54BB436765F';
const OLD_KEY = 'ab'.repeat(32);
const BALANCE_ACCOUNT = 'BA00000000000000000000001';
const notifications = createAdyenTransfersNotifications({
  balanceAccount: BALANCE_ACCOUNT,
  hmacKeys: [new Secret(OLD_KEY), new Secret(KEY)],
});

const ACKNOWLEDGEMENT = {
  status: 200,
  contentType: 'application/json',
  body: '{"notificationResponse":"[accepted]"}',
};

function read(body: string, signature = signatureOf(body, KEY)) {
  return notifications.read({ body: Buffer.from(body), headers: { hmacsignature: signature }, clientAddress: '' });
}

const EVENTS = ['received', 'authorised', 'booked'].map((status, at) => ({
  bookingDate: '2023-02-28T13:30:18+02:00',
  id: `EVJN0000000000000000000000000${at + 1}`,
  mutations: [{ currency: 'EUR', received: -10_000 }],
  status,
  type: 'accounting',
}));

/** The example of a payout to a card from Adyen's description of the webhook. */
function notification(change: object = {}, type = 'balancePlatform.transfer.updated'): string {
  const data = {
    accountHolder: { description: '', id: 'AH00000000000000000000001', reference: '' },
    amount: { currency: 'EUR', value: 10_000 },
    balanceAccount: { description: '', id: BALANCE_ACCOUNT, reference: '' },
    balancePlatform: 'YOUR_BALANCE_PLATFORM',
    balances: [{ currency: 'EUR', balance: -10_000 }],
    category: 'card',
    creationDate: '2023-02-28T13:30:05+02:00',
    direction: 'outgoing',
    events: EVENTS,
    id: '6JKRLZ8LOT47J7RY',
    reason: 'approved',
    reference: '7-AbCd1234',
    sequenceNumber: 3,
    status: 'booked',
    type: 'cardTransfer',
    ...change,
  };
  return JSON.stringify({ data, environment: 'test', timestamp: '2023-02-28T13:27:05+02:00', type });
}

const newsOf = (body: string) => {
  const reading = read(body);
  assert.ok(reading.ok, reading.ok ? '' : reading.error.kind);
  assert.deepEqual(reading.value.acknowledgement, ACKNOWLEDGEMENT);
  return reading.value.news;
};

const common = { reference: '7-AbCd1234', money: { currency: 'EUR', minor: 10_000n } };

describe('webhooks about Adyen transfers', () => {
  it('an Adyen transfer in a final status is reported with its outcome', () => {
    assert.deepEqual(newsOf(notification()), [{ kind: 'executed', ...common }]);
    const refused = { status: 'refused', reason: 'doNotHonor', events: EVENTS.slice(0, 1) };
    assert.deepEqual(newsOf(notification(refused)), [
      { kind: 'declined', blockedReason: 'bank_declined', reason: 'Adyen reports refused doNotHonor', ...common },
    ]);
    const failed = { status: 'failed', reason: 'counterpartyAccountClosed' };
    assert.deepEqual(newsOf(notification({ ...failed, events: EVENTS.slice(0, 2) })), [
      {
        kind: 'declined',
        blockedReason: 'invalid_beneficiary',
        reason: 'Adyen reports failed counterpartyAccountClosed',
        ...common,
      },
    ]);
    assert.deepEqual(newsOf(notification(failed)), [
      { kind: 'reversed', reason: 'Adyen reports failed counterpartyAccountClosed', ...common },
    ]);
    assert.deepEqual(newsOf(notification({ status: 'returned', reason: 'unknown' })), [
      { kind: 'reversed', reason: 'Adyen reports returned unknown', ...common },
    ]);
  });

  const nothing: readonly (readonly [what: string, body: string])[] = [
    [
      'was created',
      notification({ status: 'received', events: EVENTS.slice(0, 1) }, 'balancePlatform.transfer.created'),
    ],
    ['is authorised', notification({ status: 'authorised', events: EVENTS.slice(0, 2) })],
    ['is refused for a short balance', notification({ status: 'refused', reason: 'notEnoughBalance', events: [] })],
    ['was cancelled', notification({ status: 'cancelled', events: [] })],
    ['has an unknown status', notification({ status: 'onHold' })],
    ['is of another account', notification({ balanceAccount: { id: 'BA2' } })],
    ['is of no account', notification({ balanceAccount: undefined })],
    ['goes to a bank', notification({ category: 'bank' })],
    ['comes in', notification({ direction: 'incoming' })],
    ['has a reference of another shape', notification({ reference: 'Your internal reference' })],
    ['has no reference', notification({ reference: undefined })],
    ['is of another type', notification({}, 'balancePlatform.balanceAccountSweep.updated')],
    ['has no data', '{"type":"balancePlatform.transfer.updated"}'],
  ];
  for (const [what, body] of nothing) {
    it(`an Adyen webhook about a transfer that ${what} is acknowledged and ignored`, () =>
      assert.deepEqual(newsOf(body), []));
  }

  it('an Adyen transfer webhook with an invalid signature or changed bytes is unauthentic', () => {
    const body = notification();
    const right = signatureOf(body, KEY);
    assert.ok(read(body, signatureOf(body, OLD_KEY)).ok);
    const wrong = [
      '',
      right.slice(0, -1),
      right.toLowerCase(),
      signatureOf(body, 'cd'.repeat(32)),
      signatureOf(`${body} `, KEY),
    ];
    for (const signature of wrong)
      assert.deepEqual(read(body, signature), { ok: false, error: { kind: 'unauthentic' } });
    const unsigned = notifications.read({ body: Buffer.from(body), headers: {}, clientAddress: '' });
    assert.deepEqual(unsigned, { ok: false, error: { kind: 'unauthentic' } });
  });

  it('an Adyen transfer webhook with a valid signature but unusable content is malformed', () => {
    const senseless = [
      '',
      '[]',
      '{',
      notification({ amount: undefined }),
      notification({ amount: { currency: 'EUR', value: '1e3' } }),
      notification({ id: '' }),
    ];
    for (const body of senseless) {
      const reading = read(body);
      assert.equal(!reading.ok && reading.error.kind, 'malformed', body);
    }
  });
});

/**
 * Reads the notifications of Trustly's simulator over HTTP as the gateway does, and messages that only an attacker
 * would send.
 */
import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { noDeadline } from '../../../test/support/tools/deadlines.ts';
import type { RailNotifications } from '../../domain/notifications/rail-notification.ts';
import type { PaymentNews, PaymentOrder } from '../../domain/payments/payment-rail.ts';
import { Secret } from '../../foundation/secret.ts';
import type { JsonObject } from '../kit/provider-json.ts';
import { createTrustlyNotifications } from './notifications.ts';
import { type Notified, openTrustlyUnderTest, type TrustlyUnderTest } from './rail-under-test.ts';
import { isSignedBy, plaintext } from './signature.ts';

describe('notifications of Trustly’s simulator', () => {
  let bench: TrustlyUnderTest;

  before(async () => {
    bench = await openTrustlyUnderTest();
  });
  beforeEach(() => bench.reset());
  after(() => bench.close());

  async function acting(behaviour: string, faults: object = {}): Promise<PaymentOrder> {
    await bench.control('faults', faults);
    const order = bench.order();
    const answer = await bench.rail.start(order, null, noDeadline());
    assert.ok(answer.kind === 'step');
    await bench.control('act', { orderid: answer.providerReference, behaviour });
    return { ...order, providerReference: answer.providerReference };
  }

  const allOf = (notified: readonly Notified[]) => notified.flatMap((one) => ('news' in one ? one.news : []));
  /** Removes the number of a credit, which the simulator generates. */
  const newsOf = (notified: readonly Notified[]) =>
    allOf(notified).map((news) => {
      if (news.kind !== 'paid') return news;
      const { receiptKey, ...rest } = news;
      assert.match(receiptKey ?? '', /^\d+$/);
      return rest;
    });
  const creditsIn = (notified: readonly Notified[]) =>
    allOf(notified).flatMap((news) => (news.kind === 'paid' ? [news.receiptKey] : []));
  const acknowledged = async () => {
    const { entries } = (await bench.control('book')) as { entries: { kind: string }[] };
    return entries.filter(({ kind }) => kind === 'acknowledged').length;
  };

  function pendingOf({ reference, providerReference }: PaymentOrder): PaymentNews {
    return { kind: 'pending', reference, providerReference, isAuthorised: true, keep: '' };
  }

  function paidOf({ reference, providerReference }: PaymentOrder, minor = 10_050n): PaymentNews {
    return { kind: 'paid', reference, providerReference, money: { currency: 'EUR', minor }, payerAccount: '' };
  }

  it('a paid Trustly order is reported as pending and then paid, and both notifications are acknowledged', async () => {
    const order = await acting('pay');
    assert.deepEqual(newsOf(await bench.untilNotified(2)), [pendingOf(order), paidOf(order)]);
    assert.equal(await acknowledged(), 2);
  });

  it('a slow Trustly payment is reported as paid only when its money arrives', async () => {
    const order = await acting('pay_slowly');
    assert.deepEqual(newsOf(await bench.untilNotified(1)), [pendingOf(order)]);
    bench.clock.advance(10_000);
    assert.deepEqual(newsOf(await bench.untilNotified(2)).at(-1), paidOf(order));
  });

  it('a Trustly order that the payer cancels or never pays is declined, and the payer may retry', async () => {
    for (const [behaviour, count] of [
      ['cancel', 1],
      ['never_settle', 2],
    ] as const) {
      await bench.reset();
      const { reference, providerReference } = await acting(behaviour);
      if (behaviour === 'never_settle') {
        await bench.untilNotified(1);
        bench.clock.advance(10_000);
      }
      assert.deepEqual(newsOf(await bench.untilNotified(count)).at(-1), {
        kind: 'refused',
        reference,
        providerReference,
        refusal: 'cancelled_by_payer',
        canRetry: true,
        detail: 'Trustly cancelled the order',
      });
    }
  });

  it('a Trustly credit whose money never arrives is later reported as a debit with a key of its own', async () => {
    const { reference, providerReference } = await acting('pay_and_fail');
    await bench.untilNotified(2);
    bench.clock.advance(30_000);
    const notified = await bench.untilNotified(3);
    const last = allOf(notified).at(-1);
    assert.ok(last?.kind === 'debited');
    const { key, ...news } = last;
    assert.deepEqual(news, {
      kind: 'debited',
      reference,
      providerReference,
      money: { currency: 'EUR', minor: 10_050n },
      detail: `the money of order ${providerReference} never reached Trustly`,
    });
    assert.ok(/^\d+$/.test(key) && !creditsIn(notified).includes(key));
    assert.equal((await bench.control('summary'))['balance'], '0.00');
  });

  it('a Trustly shortfall or overpayment is reported with the amount that arrived', async () => {
    for (const [behaviour, minor] of [
      ['pay_less', 9_950n],
      ['pay_more', 10_150n],
    ] as const) {
      await bench.reset();
      const order = await acting(behaviour);
      assert.deepEqual(newsOf(await bench.untilNotified(2)).at(-1), paidOf(order, minor));
    }
    await bench.reset();
    const order = await acting('pay', { notifications: 'wrong_amount' });
    assert.deepEqual(newsOf(await bench.untilNotified(2)).at(-1), paidOf(order, 99_999_999n));
  });

  it('two credits of one Trustly order have different keys, and a repeated credit has the same key', async () => {
    await acting('pay_twice');
    const [one, other] = creditsIn(await bench.untilNotified(3));
    assert.ok(one && other && one !== other);
    await bench.reset();
    await acting('pay', { notifications: 'twice' });
    const [first, again] = creditsIn(await bench.untilNotified(4));
    assert.ok(first && first === again);
  });

  it('Trustly’s notifications may arrive late, out of order, or before the Deposit’s response', async () => {
    const late = await acting('pay', { notifications: 'late' });
    bench.clock.advance(10_000);
    assert.deepEqual(newsOf(await bench.untilNotified(2)).at(-1), paidOf(late));
    await bench.reset();
    const disordered = await acting('pay', { notifications: 'out_of_order' });
    assert.deepEqual(newsOf(await bench.untilNotified(2)), [paidOf(disordered), pendingOf(disordered)]);
    await bench.reset();
    await bench.control('faults', { deposits: 'paid_before_reply' });
    const order = bench.order();
    const answer = await bench.rail.start(order, null, noDeadline());
    assert.ok(answer.kind === 'step');
    const { providerReference } = answer;
    assert.deepEqual(newsOf(bench.notified).at(-1), paidOf({ ...order, providerReference }));
  });

  it('a Trustly notification signed with SHA-1 is accepted', async () => {
    const order = await acting('pay', { hash: 'SHA1' });
    assert.deepEqual(newsOf(await bench.untilNotified(2)), [pendingOf(order), paidOf(order)]);
  });

  for (const notifications of ['forged', 'foreign_key']) {
    it(`a forged Trustly notification (${notifications}) is not acknowledged, and a genuine repetition is processed`, async () => {
      const order = await acting('pay', { notifications });
      assert.deepEqual(await bench.untilNotified(2), [{ failure: 'unauthentic' }, { failure: 'unauthentic' }]);
      assert.equal(await acknowledged(), 0);
      await bench.control('faults', { notifications: 'on' });
      bench.clock.advance(60_000);
      assert.deepEqual(newsOf(await bench.untilNotified(4)).at(-1), paidOf(order));
    });
  }

  it('a Trustly notification about the payer’s account is acknowledged and ignored', async () => {
    const order = await acting('pay', { include_account: true });
    const notified = await bench.untilNotified(3);
    assert.deepEqual(newsOf(notified), [pendingOf(order), paidOf(order)]);
    assert.equal(await acknowledged(), 3);
  });
});

describe('authentication of Trustly’s notifications', () => {
  const theirs = generateKeyPairSync('rsa', { modulusLength: 2048 });
  let bench: TrustlyUnderTest;
  let notifications: RailNotifications;
  const uuid = '258a2184-2842-b485-25ca-293525152425';
  const credit: JsonObject = {
    amount: '902.50',
    currency: 'EUR',
    messageid: '98348932-AbCd1234',
    orderid: '87654567',
    enduserid: '32123',
    notificationid: '9876543456',
    timestamp: '2010-01-20 14:42:04.675645+01',
    attributes: {},
  };

  before(async () => {
    bench = await openTrustlyUnderTest();
    const publicKeyFile = join(bench.folder, 'theirs.pem');
    writeFileSync(publicKeyFile, theirs.publicKey.export({ type: 'spki', format: 'pem' }));
    notifications = createTrustlyNotifications({
      url: 'https://api.trustly.com/1',
      username: 'gateway',
      password: new Secret('x'),
      privateKeyFile: join(bench.folder, 'private-key.pem'),
      publicKeyFile,
      notificationUrl: 'https://pay.example/rail-notifications/trustly',
      simulated: true,
    });
  });
  after(() => bench.close());

  const signed = (method: string, data: JsonObject, key: KeyObject = theirs.privateKey) => {
    const text = Buffer.from(plaintext({ method, uuid, data }));
    return `alg=RS256;${sign('sha256', text, key).toString('base64')}`;
  };
  const message = (method: string, data: JsonObject, signature = signed(method, data)) =>
    JSON.stringify({ method, params: { signature, uuid, data }, version: '1.1' });
  const read = (body: string) =>
    notifications.read({ body: Buffer.from(body), headers: {}, clientAddress: '203.0.113.1' });

  function newsIn(reading: ReturnType<typeof read>): readonly PaymentNews[] {
    assert.ok(reading.ok);
    return reading.value.news.map((item) => (item.kind === 'payment' ? item.news : assert.fail(item.kind)));
  }

  function failureOf(body: string): string {
    const reading = read(body);
    assert.ok(!reading.ok, body);
    return reading.error.kind === 'malformed' ? reading.error.reason : reading.error.kind;
  }

  it('the response to a Trustly notification is a signed OK', () => {
    const reading = read(message('credit', credit));
    assert.ok(reading.ok);
    const { status, contentType, body } = reading.value.acknowledgement;
    assert.deepEqual([status, contentType], [200, 'application/json; charset=utf-8']);
    const { result, version } = JSON.parse(body);
    const { signature, ...said } = result;
    assert.deepEqual([said, version], [{ method: 'credit', uuid, data: { status: 'OK' } }, '1.1']);
    assert.ok(!isSignedBy(said, signature, theirs.publicKey));
  });

  it('a Trustly notification with JSON numbers is read with exactly the signed digits', () => {
    const body = message('credit', { ...credit, amount: '902.50' }).replace('"902.50"', '902.50');
    const reading = read(body);
    assert.deepEqual(newsIn(reading)[0], {
      kind: 'paid',
      reference: '98348932-AbCd1234',
      providerReference: '87654567',
      money: { currency: 'EUR', minor: 90_250n },
      payerAccount: '',
      receiptKey: '9876543456',
    });
  });

  it('a Trustly notification for an order that is not ours is acknowledged and does not report an event', () => {
    for (const messageid of ['98348932', 'by hand', '17-AbCd12345']) {
      const reading = read(message('credit', { ...credit, messageid: messageid.replace(' ', '_') }));
      assert.deepEqual(reading.ok && reading.value.news, [], messageid);
    }
  });

  it('a Trustly notification about the payer or a refund is acknowledged and ignored', () => {
    for (const method of ['account', 'kyc', 'payoutconfirmation']) {
      const reading = read(message(method, credit));
      assert.deepEqual(reading.ok && reading.value.news, [], method);
    }
  });

  it('a cancel notification is reported with Trustly’s reason', () => {
    const { amount: _amount, currency: _currency, ...cancel } = credit;
    const reading = read(message('cancel', { ...cancel, attributes: { reason: 'ERROR_CHARGE_NOT_APPROVED' } }));
    const [news] = newsIn(reading);
    assert.equal(news?.kind === 'refused' && news.detail, 'Trustly cancelled the order ERROR_CHARGE_NOT_APPROVED');
  });

  const malformed: readonly (readonly [what: string, body: () => string, fault: string])[] = [
    ['is empty', () => '', 'the body is not a JSON object'],
    ['is not an object', () => '[]', 'the body is not a JSON object'],
    ['has no method', () => '{"params":{}}', 'method'],
    ['has no UUID', () => '{"method":"credit","params":{"data":{}}}', 'uuid'],
    ['has no data', () => JSON.stringify({ method: 'credit', params: { uuid } }), 'data'],
    ['has an unknown method', () => message('payoutfailed', credit), 'method'],
    ['has no amount', () => message('credit', { ...credit, amount: '' }), 'amount'],
    ['has an amount of zero', () => message('credit', { ...credit, amount: '0.00' }), 'amount'],
    ['has a negative amount', () => message('debit', { ...credit, amount: '-1.00' }), 'amount'],
    ['has a fraction of a cent', () => message('credit', { ...credit, amount: '1.001' }), 'amount'],
    ['has another currency', () => message('credit', { ...credit, currency: 'SEK' }), 'amount'],
    ['has an order twice', () => message('credit', { ...credit, enduserid: 'orderid1' }), 'data'],
    ['has no order', () => message('credit', { ...credit, orderid: '' }), 'orderid'],
    ['has no number', () => message('credit', { ...credit, notificationid: null }), 'notificationid'],
    ['has no MessageID', () => message('pending', { ...credit, messageid: '' }), 'messageid'],
  ];
  for (const [what, body, fault] of malformed) {
    it(`a Trustly notification that ${what} is malformed`, () => assert.equal(failureOf(body()), fault));
  }

  it('a Trustly notification without a valid signature is unauthentic', () => {
    const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    for (const signature of [
      '',
      'x',
      signed('credit', credit, stranger),
      signed('debit', credit),
      signed('credit', {}),
    ]) {
      assert.equal(failureOf(message('credit', credit, signature)), 'unauthentic', signature);
    }
  });

  // The signed string has no separators between keys and values, so the same text can be split in other ways.
  it('a Trustly notification whose string to sign is split differently is rejected', () => {
    const text = plaintext({ method: 'credit', uuid, data: credit });
    const { currency: _currency, orderid: _orderid, ...rest } = credit;
    const { attributes: _attributes, ...last } = credit;
    const same: readonly JsonObject[] = [
      { ...last, amount: '902.50attributes' },
      { ...rest, attributes: 'currencyEUR', notificationid: '9876543456orderid87654567' },
      { ...credit, notificationid: '98765434', notificationid56orderid: '87654567' },
    ];
    for (const data of same.slice(0, 2)) assert.equal(plaintext({ method: 'credit', uuid, data }), text);
    const others: readonly JsonObject[] = [
      { ...credit, amount: '902.5', '0currency': 'EUR' },
      { ...credit, orderid: '8765', '4567timestamp': '2010-01-20 14:42:04.675645+01' },
    ];
    for (const data of [...same, ...others]) {
      assert.ok(!read(message('credit', data, signed('credit', credit))).ok, JSON.stringify(data));
    }
    const body = message('credit', credit).replace('"method":"credit"', '"method":"debit"');
    assert.equal(failureOf(body), 'unauthentic');
  });

  it('a notification that Trustly signed for another merchant, with our fields in its EndUserID, is rejected', () => {
    const ours = 'messageid17-AbCd1234notificationid1orderid555timestamp2026-11-20 12:00:00.000000+00zzz';
    const his = { ...credit, messageid: 'his', enduserid: `x${ours}` };
    const { enduserid: _enduserid, messageid: _messageid, ...rest } = credit;
    const swallowed = `messageidhisnotificationid9876543456orderid87654567timestamp${credit['timestamp']}`;
    const cut: JsonObject = {
      ...rest,
      enduserid: 'x',
      messageid: '17-AbCd1234',
      notificationid: '1',
      orderid: '555',
      timestamp: '2026-11-20 12:00:00.000000+00',
      zzz: swallowed,
    };
    const signature = signed('credit', his);
    assert.equal(signed('credit', cut), signature, 'one signature of Trustly covers both');
    assert.equal(failureOf(message('credit', cut, signature)), 'data');
  });
});

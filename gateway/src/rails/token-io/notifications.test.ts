/** Reads Token.io's webhooks: from its simulator over HTTP with every webhook fault, and from hand-made bytes. */
import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { noDeadline } from '../../../test/support/tools/deadlines.ts';
import type { PaymentOrder } from '../../domain/payments/payment-rail.ts';
import type { TokenIoConfiguration } from './configuration.ts';
import { createTokenIoNotifications } from './notifications.ts';
import { openTokenIoUnderTest, type TokenIoUnderTest } from './rail-under-test.ts';

describe('webhooks of Token.io’s simulator', () => {
  let bench: TokenIoUnderTest;

  before(async () => {
    bench = await openTokenIoUnderTest();
  });
  beforeEach(() => bench.reset());
  after(() => bench.close());

  const faults = (which: object) => bench.control('faults', which);
  const news = () => bench.notified.flatMap((notified) => ('failure' in notified ? [] : notified));
  const line = (each: ReturnType<typeof news>[number]) =>
    'isAuthorised' in each ? `${each.kind} ${each.isAuthorised}` : each.kind;
  const FAILED = { failure: 'unauthentic' };

  /** A payment after the payer acted by `behaviour` and everything due has happened. */
  async function ended(behaviour: string): Promise<PaymentOrder> {
    const order = bench.order();
    const started = await bench.rail.start(order, null, noDeadline());
    assert.ok(started.kind === 'step');
    await bench.control('act', { id: started.providerReference, behaviour });
    await bench.pass(12_000);
    return { ...order, providerReference: started.providerReference };
  }

  it('Token.io’s webhooks report the bank’s agreement and then the settled money, but not the payer’s next step', async () => {
    const { reference, providerReference, money } = await ended('agree');
    await bench.untilNotified(7);
    assert.deepEqual(news().map(line), [
      'pending false',
      'pending false',
      'pending true',
      'pending true',
      'ask',
      'paid',
    ]);
    assert.deepEqual(news().at(-1), {
      kind: 'paid',
      reference,
      money,
      payerAccount: 'DE89370400440532013000',
      providerReference,
    });
  });

  const ends: readonly (readonly [behaviour: string, last: string])[] = [
    ['reject', 'refused'],
    ['bank_rejects', 'refused'],
    ['insufficient_funds', 'refused'],
    ['no_final_status', 'pending false'],
    ['no_final_status_paid', 'ask'],
    ['never_settles', 'pending true'],
    ['silent_bank', 'ask'],
  ];
  for (const [behaviour, last] of ends) {
    it(`the last webhook of a Token.io payment whose payer acts as “${behaviour}” is ${last}`, async () => {
      await ended(behaviour);
      assert.equal(news().map(line).at(-1), last);
      assert.ok(!news().some(({ kind }) => kind === 'paid'));
    });
  }

  it('a Token.io webhook that arrives twice, late or out of order reports the same payment', async () => {
    for (const webhooks of ['twice', 'late', 'out_of_order']) {
      await bench.reset();
      await faults({ webhooks });
      await ended('agree');
      await bench.pass(11_000);
      const kinds = news().map(line);
      const expected = webhooks === 'twice' ? 2 : 1;
      assert.equal(kinds.filter((kind) => kind === 'paid').length, expected, `${webhooks}: ${kinds}`);
    }
  });

  it('a Token.io webhook with another amount reports that amount', async () => {
    await faults({ webhooks: 'wrong_amount' });
    await ended('agree');
    const paid = news().find(({ kind }) => kind === 'paid');
    assert.deepEqual(paid?.kind === 'paid' && paid.money, { currency: 'EUR', minor: 99_999_999n });
  });

  for (const webhooks of ['forged', 'foreign_key']) {
    it(`a ${webhooks} Token.io webhook is unauthentic`, async () => {
      await faults({ webhooks });
      await ended('agree');
      await bench.untilNotified(1);
      assert.ok(bench.notified.every((notified) => 'failure' in notified && notified.failure === FAILED.failure));
    });
  }

  it('a Token.io webhook about another member’s payment is acknowledged and ignored', async () => {
    await faults({ webhooks: 'foreign_member' });
    await ended('agree');
    await bench.untilNotified(7);
    assert.ok(
      bench.notified.every((notified) => Array.isArray(notified) && notified.length === 0),
      JSON.stringify(bench.notified),
    );
  });
});

describe('Token.io webhooks', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const configuration: TokenIoConfiguration = {
    url: 'https://api.token.io',
    memberId: 'm:gateway:5zKtXEAq',
    keyId: 'k',
    privateKeyFile: '',
    webhookPublicKey: publicKey.export({ format: 'jwk' }).x ?? '',
    settlementAccount: 'pa:gateway:2gFUX1NEGTG',
    creditor: { iban: 'NL91ABNA0417164300', name: 'Payment Gateway' },
    localInstrument: 'SEPA_INSTANT',
    onBehalfOf: '',
    simulated: false,
  };
  const notifications = createTokenIoNotifications(configuration);
  const initiation = {
    refId: '7-AbCd1234',
    remittanceInformationPrimary: '7-AbCd1234',
    amount: { value: '10.23', currency: 'EUR' },
    creditor: { virtualAccountId: configuration.settlementAccount },
  };
  const payment = { id: 'pm2:a:b', memberId: configuration.memberId, status: 'SETTLEMENT_COMPLETED', initiation };

  function read(sent: unknown, change: { key?: typeof privateKey; event?: string } = {}) {
    const body = Buffer.from(typeof sent === 'string' ? sent : JSON.stringify(sent));
    const signature = sign(null, body, change.key ?? privateKey).toString('base64url');
    const headers = { 'token-signature': signature, 'token-event': change.event };
    return notifications.read({ body, headers, clientAddress: '192.0.2.1' });
  }
  const newsIn = (sent: unknown, event?: string) => {
    const reading = read(sent, event === undefined ? {} : { event });
    assert.ok(reading.ok);
    assert.equal(reading.value.acknowledgement.status, 200);
    return reading.value.news.flatMap((each) => (each.kind === 'payment' ? each.news : []));
  };

  it('a Token.io webhook is read from its signed body, not from its unsigned event header', () => {
    for (const event of ['PAYMENT_STATUS_CHANGED', 'BANK_SIP_OUTAGE_STATUS_CHANGED', '']) {
      assert.equal(newsIn({ payment }, event)[0]?.kind, 'paid', event);
    }
  });

  it('a Token.io webhook about another client’s payment or of a new kind is acknowledged and ignored', () => {
    const others = [
      { payment: { ...payment, memberId: 'm:other:1' } },
      { payment: { ...payment, initiation: { ...initiation, creditor: { virtualAccountId: 'pa:other:1' } } } },
      { payment: { ...payment, initiation: { ...initiation, creditor: { iban: 'DE89370400440532013000' } } } },
      { payment: { ...payment, initiation: { ...initiation, refId: 'another' } } },
      { payment: { ...payment, initiation: { ...initiation, remittanceInformationPrimary: 'rent' } } },
      { payment: { ...payment, initiation: { ...initiation, amount: { value: '10.23', currency: 'GBP' } } } },
      { payment: { ...payment, initiation: undefined } },
      { payment: { ...payment, status: 'SOMETHING_NEW' } },
      { payment: { ...payment, status: 'INITIATION_PENDING_REDIRECT_AUTH' } },
      { refundStatusChanged: { refundId: 'rf:a:b', memberId: configuration.memberId, status: 'INITIATION_COMPLETED' } },
      { virtualAccountCreditReceived: { memberId: 'm:other:1', description: '7-AbCd1234' } },
      { virtualAccountCreditReceived: { memberId: configuration.memberId, description: 'rent' } },
      { bankOutage: {} },
    ];
    for (const sent of others) assert.deepEqual(newsIn(sent), [], JSON.stringify(sent));
  });

  it('a Token.io webhook may identify our account by its IBAN', () => {
    const creditor = { iban: 'NL91 ABNA 0417 1643 00', name: 'x' };
    assert.equal(newsIn({ payment: { ...payment, initiation: { ...initiation, creditor } } })[0]?.kind, 'paid');
  });

  it('a Token.io webhook about a credit makes the gateway query the payments that its description mentions', () => {
    const credit = { memberId: configuration.memberId, description: 'SEPA 7-AbCd1234/8-AbCd1234 7-AbCd1234' };
    assert.deepEqual(newsIn({ virtualAccountCreditReceived: credit }), [
      { kind: 'ask', reference: '7-AbCd1234' },
      { kind: 'ask', reference: '8-AbCd1234' },
    ]);
  });

  it('a Token.io webhook without a valid signature is unauthentic', () => {
    const stranger = generateKeyPairSync('ed25519').privateKey;
    assert.deepEqual(read({ payment }, { key: stranger }), { ok: false, error: { kind: 'unauthentic' } });
    const body = Buffer.from(JSON.stringify({ payment }));
    for (const signature of [undefined, '', 'x', 'AAAA', 'A'.repeat(86), '%']) {
      const headers = { 'token-signature': signature };
      const reading = notifications.read({ body, headers, clientAddress: '192.0.2.1' });
      assert.deepEqual(reading, { ok: false, error: { kind: 'unauthentic' } }, signature);
    }
    const keyless = createTokenIoNotifications({ ...configuration, webhookPublicKey: 'none' });
    const signed = { 'token-signature': sign(null, body, privateKey).toString('base64url') };
    assert.equal(keyless.read({ body, headers: signed, clientAddress: '192.0.2.1' }).ok, false);
  });

  it('a signed but unreadable Token.io webhook gets a 500 response, so that Token.io repeats it', () => {
    for (const sent of ['', 'x', '[]', '7', 'null']) {
      assert.deepEqual(read(sent), { ok: false, error: { kind: 'malformed', reason: 'no JSON object' } }, sent);
    }
    assert.equal(notifications.malformedStatus, 500);
  });
});

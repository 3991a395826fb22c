/** Reads callbacks from bytes, and from the bank's simulator over mutual TLS. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { noDeadline } from '../../../test/support/tools/deadlines.ts';
import { until } from '../../../test/support/tools/until.ts';
import type { RailNews, RawNotification } from '../../domain/notifications/rail-notification.ts';
import type { PaymentOrder, PaymentRail } from '../../domain/payments/payment-rail.ts';
import { createPixNotifications } from './notifications.ts';
import { createPixPreparation } from './preparation.ts';
import { openPixUnderTest, type PixUnderTest } from './rail-under-test.ts';
import { identifierOf } from './reference.ts';

const CERTIFICATE = Buffer.from('the DER of a certificate');
const fingerprintOf = (der: Buffer) => createHash('sha256').update(der).digest('hex');
const shown = (der: Buffer) => ({ headers: { 'client-cert': `:${der.toString('base64')}:` } });
const TRUST = { certificateFingerprints: [fingerprintOf(CERTIFICATE)], allowList: ['192.0.2.0/24'] };

const readWith = (webhook: typeof TRUST, notification: RawNotification) =>
  createPixNotifications({ webhook }).read(notification);

function callback(body: unknown, from: Partial<RawNotification> = shown(CERTIFICATE)): RawNotification {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return { body: bytes, headers: {}, clientAddress: '198.51.100.1', ...from };
}
const pixOf = (reference: string) => ({
  endToEndId: 'E12345678202009091221kkkkkkkkkkk',
  txid: identifierOf(reference),
  valor: '110.00',
  horario: '2020-09-09T20:15:00.358Z',
});
const newsIn = (notification: RawNotification): readonly RailNews[] => {
  const reading = readWith(TRUST, notification);
  assert.ok(reading.ok);
  return reading.value.news;
};
const asks = (...references: string[]) =>
  references.map((reference) => ({ kind: 'payment', news: { kind: 'ask', reference } }));

describe('Pix callbacks', () => {
  it('a Pix callback makes the gateway query each charge in it once', () => {
    const pix = [pixOf('1-AbCd1234'), pixOf('2-AbCd1234'), pixOf('1-AbCd1234')];
    assert.deepEqual(newsIn(callback({ pix })), asks('1-AbCd1234', '2-AbCd1234'));
  });

  it('a Pix callback is acknowledged with 200', () => {
    const reading = readWith(TRUST, callback({ pix: [pixOf('1-AbCd1234')] }));
    assert.deepEqual(reading.ok && reading.value.acknowledgement.status, 200);
  });

  it('a Pix callback with charges of other clients reports only ours', () => {
    const foreign = { ...pixOf('1-AbCd1234'), txid: 'c3e0e7a4e7f1469a9f782d3d4999343c' };
    assert.deepEqual(newsIn(callback({ pix: [foreign, {}, null, 'x', pixOf('3-AbCd1234')] })), asks('3-AbCd1234'));
  });

  it('a Pix callback that tests our URL does not report an event', () => {
    assert.deepEqual(newsIn(callback({ evento: 'teste_webhook' })), []);
    assert.deepEqual(newsIn(callback({ pix: [] })), []);
  });

  it('a Pix callback that is not a JSON object is malformed', () => {
    for (const body of ['', 'pix', '[]', 'null', '{"pix":'])
      assert.deepEqual(readWith(TRUST, callback(body)), {
        ok: false,
        error: { kind: 'malformed', reason: 'no JSON object' },
      });
  });

  const senders: readonly (readonly [who: string, from: Partial<RawNotification>, isBelieved: boolean])[] = [
    ['the bank’s certificate', shown(CERTIFICATE), true],
    ['an allowed address', { clientAddress: '192.0.2.7' }, true],
    ['an allowed address as IPv6 writes it', { clientAddress: '::ffff:192.0.2.7' }, true],
    ['another certificate', shown(Buffer.from('another')), false],
    ['a header that is not a certificate', { headers: { 'client-cert': CERTIFICATE.toString('base64') } }, false],
    ['another address and no certificate', {}, false],
    ['a sender without an IP address', { clientAddress: 'unix' }, false],
  ];
  for (const [who, from, isBelieved] of senders)
    it(`a Pix callback from ${who} is ${isBelieved ? 'accepted' : 'rejected'}`, () => {
      const reading = readWith(TRUST, callback({ pix: [pixOf('1-AbCd1234')] }, from));
      assert.deepEqual(reading.ok || reading.error, isBelieved ? true : { kind: 'unauthentic' });
    });

  it('a Pix callback is rejected from every sender if no certificate and no address is configured', () => {
    const nobody = { certificateFingerprints: [''], allowList: [] };
    for (const from of [{}, shown(Buffer.alloc(0)), shown(CERTIFICATE)])
      assert.equal(readWith(nobody, callback({ pix: [] }, from)).ok, false);
  });
});

describe('callbacks of the simulated bank', () => {
  let bench: PixUnderTest;
  let rail: PaymentRail;
  before(async () => {
    bench = await openPixUnderTest();
    ({ rail } = bench.connect());
  });
  beforeEach(async () => {
    await bench.control('reset', {});
    bench.callbacks.length = 0;
    bench.callbackStatus = 200;
  });
  after(() => bench.close());

  async function started(): Promise<PaymentOrder> {
    const order = bench.order();
    assert.equal((await rail.start(order, null, noDeadline())).kind, 'step');
    return order;
  }
  const pay = (order: PaymentOrder) => bench.control('pay', { txid: identifierOf(order.reference) });

  /** Waits for `count` callbacks, and a moment longer for one too many. */
  async function untilNotified(count: number): Promise<(readonly RailNews[])[]> {
    await until(`${count} callbacks`, () => bench.callbacks.length >= count);
    await pause(50);
    assert.equal(bench.callbacks.length, count);
    return bench.callbacks.map((notification) => {
      const [, base64 = ''] = /^:(.+):$/.exec(notification.headers['client-cert'] ?? '') ?? [];
      const trust = { certificateFingerprints: [fingerprintOf(Buffer.from(base64, 'base64'))], allowList: [] };
      const reading = readWith(trust, notification);
      assert.ok(reading.ok);
      return reading.value.news;
    });
  }
  const statusOf = async (order: PaymentOrder) => (await rail.ask(order, noDeadline())).kind;

  it('the Pix bank’s callback presents its certificate, and a query then finds the payment paid', async () => {
    const order = await started();
    await pay(order);
    assert.deepEqual(await untilNotified(1), [asks(order.reference)]);
    assert.equal(await statusOf(order), 'paid');
  });

  it('a Pix callback that arrives twice causes two queries and one credit', async () => {
    await bench.control('faults', { notifications: 'twice' });
    const order = await started();
    await pay(order);
    assert.deepEqual(await untilNotified(2), [asks(order.reference), asks(order.reference)]);
    assert.deepEqual((await bench.control('summary'))['pix_amount'], '100.50');
  });

  it('a status query finds a Pix payment paid before a late callback arrives', async () => {
    await bench.control('faults', { notifications: 'late' });
    const order = await started();
    await pay(order);
    assert.equal(await statusOf(order), 'paid');
    await untilNotified(0);
    bench.clock.advance(10_000);
    assert.deepEqual(await untilNotified(1), [asks(order.reference)]);
  });

  it('Pix callbacks out of order are reported in the order of arrival', async () => {
    await bench.control('faults', { notifications: 'out_of_order' });
    const [first, second] = [await started(), await started()];
    await pay(first);
    await pay(second);
    const news = (await untilNotified(2)).flat();
    assert.deepEqual(news, asks(second.reference, first.reference));
  });

  it('one Pix callback may report two payments', async () => {
    await bench.control('faults', { notifications: 'batched' });
    const [first, second] = [await started(), await started()];
    await pay(first);
    await pay(second);
    bench.clock.advance(10_000);
    assert.deepEqual(await untilNotified(1), [asks(first.reference, second.reference)]);
  });

  it('the gateway repeats the query if a callback arrives before the bank lists the Pix', async () => {
    await bench.control('faults', { listing_delay_ms: 5_000 });
    const order = await started();
    await pay(order);
    await untilNotified(1);
    assert.equal(await statusOf(order), 'step');
    bench.clock.advance(5_000);
    assert.equal(await statusOf(order), 'paid');
  });

  it('a false amount in a Pix callback does not change the paid amount', async () => {
    await bench.control('faults', { notifications: 'wrong_amount' });
    const order = await started();
    await pay(order);
    await untilNotified(1);
    assert.match(String(bench.callbacks[0]?.body), /999999\.99/);
    const status = await rail.ask(order, noDeadline());
    assert.deepEqual(status.kind === 'paid' && status.money, order.money);
  });

  it('a Pix callback that another client of the bank sends to our URL does not pay anything', async () => {
    const order = await started();
    await bench.control('made-up-callback', { ...pixOf(order.reference), devolucoes: [] });
    assert.deepEqual(await untilNotified(1), [asks(order.reference)]);
    assert.equal(await statusOf(order), 'step');
  });

  it('the bank repeats a Pix callback until the gateway acknowledges it', async () => {
    bench.callbackStatus = 503;
    const order = await started();
    await pay(order);
    await untilNotified(1);
    bench.callbackStatus = 200;
    bench.clock.advance(500);
    await untilNotified(2);
    assert.equal((await bench.control('summary'))['callbacks_due'], 0);
  });

  it('Pix callbacks report the result of a refund, and money that the return mechanism took back', async () => {
    const order = await started();
    await pay(order);
    await untilNotified(1);
    const payment = { ...order, providerReference: '' };
    await rail.refund?.(bench.refundOf(payment, 1_000n), noDeadline());
    bench.clock.advance(2_000);
    await untilNotified(2);
    const status = await rail.ask(order, noDeadline());
    assert.ok(status.kind === 'paid');
    await bench.control('reverse', { endToEndId: status.providerReference, valor: '5.00' });
    assert.deepEqual((await untilNotified(3)).flat(), asks(order.reference, order.reference, order.reference));
  });

  it('the Pix bank calls the URL that the gateway registered', async () => {
    const { bank } = bench.connect();
    const prepare = (chave: string, webhookUrl: string) =>
      createPixPreparation({ chave, webhookUrl }, bank).prepare(noDeadline());
    const { chave, webhookUrl } = bench.configuration;
    const elsewhere = 'https://127.0.0.1:1/elsewhere';
    // The second preparation finds the registered address.
    for (let times = 0; times < 2; times++)
      assert.deepEqual(await prepare(chave, elsewhere), { ok: true, value: undefined });
    const refused = await prepare('another key', elsewhere);
    assert.deepEqual(refused, { ok: false, error: 'HTTP 400 Webhook inválido.' });
    await pay(await started());
    await untilNotified(0);
    assert.ok((await prepare(chave, webhookUrl)).ok);
  });
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

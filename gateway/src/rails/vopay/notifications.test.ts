/** Webhooks: read from bytes as VoPay's pages show them, and as its simulator sends them. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { noDeadline } from '../../../test/support/deadlines.ts';
import { openVoPayRailBench, type VoPayRailBench } from '../../../test/support/vopay-rail-bench.ts';
import type { PaymentOrder } from '../../domain/deposits/payment-rail.ts';
import { MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import { Secret } from '../../foundation/secret.ts';
import { createVoPayNotifications } from './notifications.ts';

const keyOf = (record: string | number) => createHash('sha1').update(`shared-secret${record}`).digest('hex');
const notifications = createVoPayNotifications({ sharedSecret: new Secret('shared-secret') });
const read = (body: unknown) => {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return notifications.read({ body: bytes, headers: {}, clientAddress: '198.51.100.1' });
};
const asks = (reference: string) => [{ kind: 'payment', news: { kind: 'ask', reference } }];

/** The example of VoPay's list of events, with our reference and our key. */
const SHOWN = {
  Success: true,
  Status: 'in progress',
  ID: 97684,
  TransactionAmount: '25262.00',
  ClientReferenceNumber: '17-AbCd1234',
  TransactionType: 'Interac Money Request',
  TransactionID: 97684,
  AccountID: 'testuser',
  UpdatedAt: '2023-07-16 14:56:00',
  ValidationKey: keyOf(97684),
  Environment: 'Production',
};

describe('a webhook', () => {
  it('has VoPay asked about what it names, and is answered with 200', () => {
    const reading = read(SHOWN);
    assert.ok(reading.ok);
    assert.deepEqual(reading.value.news, asks('17-AbCd1234'));
    assert.equal(reading.value.acknowledgement.status, 200);
  });

  it('never says more than that, whatever it says', () => {
    for (const Status of ['successful', 'failed', 'cancelled', 'nonsense', null])
      for (const TransactionAmount of ['25262.00', '0', 'x']) {
        const reading = read({ ...SHOWN, Status, TransactionAmount });
        assert.deepEqual(reading.ok && reading.value.news, asks('17-AbCd1234'));
      }
  });

  it('has its number under either name, as a number or as a text', () => {
    for (const change of [{ ID: undefined }, { TransactionID: undefined }, { TransactionID: '97684' }])
      assert.ok(read({ ...SHOWN, ...change }).ok, JSON.stringify(change));
  });

  it('about what is none of ours says nothing, and is taken', () => {
    for (const ClientReferenceNumber of ['', null, undefined, 'ABC97112731', '17-AbCd1234 ', '17-AbCd12345']) {
      const reading = read({ ...SHOWN, ClientReferenceNumber });
      assert.deepEqual(reading.ok && reading.value.news, []);
    }
  });

  it('is not believed without its key', () => {
    for (const change of [
      { ValidationKey: keyOf(97685) },
      { ValidationKey: '' },
      { ValidationKey: null },
      { TransactionID: 97685 },
      { TransactionID: undefined, ID: undefined, ValidationKey: keyOf('') },
    ])
      assert.deepEqual(read({ ...SHOWN, ...change }), { ok: false, error: { kind: 'unauthentic' } });
  });

  it('that is no JSON object is malformed', () => {
    for (const body of ['', 'x', '[]', 'null', '{"ID":'])
      assert.deepEqual(read(body), { ok: false, error: { kind: 'malformed', reason: 'no JSON object' } });
  });
});

describe('the webhooks of VoPay', () => {
  let bench: VoPayRailBench;
  before(async () => {
    bench = await openVoPayRailBench();
  });
  beforeEach(() => bench.reset());
  after(() => bench.close());

  const faults = (notifications: string) => bench.control('faults', { notifications });

  /** One whose payer has the message, which VoPay tells. */
  async function started(tells = 1): Promise<PaymentOrder> {
    const order = bench.order();
    const answer = await bench.rail.start(order, null, noDeadline());
    assert.ok(answer.kind === 'step');
    bench.clock.advance(SECOND_MS);
    if (tells > 0) await bench.toldUntil(tells);
    return { ...order, providerReference: answer.providerReference };
  }
  const accept = ({ reference }: PaymentOrder) => bench.control('act', { reference, behaviour: 'accept' });
  const statusOf = async (order: PaymentOrder) => bench.rail.ask(order, noDeadline());

  it('tell each step of a payment, and asking then says that it was paid', async () => {
    const order = await started();
    await accept(order);
    await bench.toldUntil(2);
    assert.equal((await statusOf(order)).kind, 'pending');
    bench.clock.advance(SECOND_MS);
    const told = await bench.toldUntil(3);
    assert.deepEqual(told, [asks(order.reference), asks(order.reference), asks(order.reference)]);
    assert.equal((await statusOf(order)).kind, 'paid');
  });

  it('may come twice, and mean the same twice', async () => {
    await faults('twice');
    const order = await started(2);
    await accept(order);
    assert.deepEqual(new Set((await bench.toldUntil(4)).map((news) => JSON.stringify(news))).size, 1);
    bench.clock.advance(SECOND_MS);
    await bench.toldUntil(6);
    assert.equal((await bench.control('summary'))['credits'], 1);
  });

  it('may come late or never, and asking knows before', async () => {
    for (const mode of ['late', 'off']) {
      await bench.reset();
      await faults(mode);
      const order = await started(0);
      await accept(order);
      bench.clock.advance(SECOND_MS);
      assert.equal((await statusOf(order)).kind, 'paid');
      await bench.toldUntil(0);
      bench.clock.advance(10 * SECOND_MS);
      await bench.toldUntil(mode === 'late' ? 3 : 0);
    }
  });

  it('may come in another order', async () => {
    await faults('out_of_order');
    const [first, second] = [await started(0), await started(0)];
    const told = await bench.toldUntil(2);
    assert.deepEqual(told, [asks(second.reference), asks(first.reference)]);
  });

  it('with a wrong amount do not decide what was paid', async () => {
    await faults('wrong_amount');
    const order = await started();
    await accept(order);
    await bench.toldUntil(2);
    bench.clock.advance(SECOND_MS);
    const status = await statusOf(order);
    assert.deepEqual(status.kind === 'paid' && status.money, order.money);
  });

  it('under a forged key are not read', async () => {
    await faults('forged');
    await started(0);
    assert.deepEqual(await bench.toldUntil(1), [{ failure: 'unauthentic' }]);
  });

  it('that somebody wrote under a key that he has seen pay nothing', async () => {
    const [order, other] = [await started(), await started(2)];
    const id = Number(other.providerReference);
    await bench.control('made-up-webhook', { id, ClientReferenceNumber: order.reference, Status: 'successful' });
    assert.deepEqual((await bench.toldUntil(3)).at(-1), asks(order.reference));
    assert.equal((await statusOf(order)).kind, 'step');
  });

  it('that name another payment have that one asked about, and change nothing', async () => {
    await faults('foreign_reference');
    const order = await started();
    assert.deepEqual(bench.told, [asks('99-FoReIgN1')]);
    assert.equal((await statusOf(order)).kind, 'step');
  });

  it('come three times, five minutes apart, and never again', async () => {
    bench.webhookStatus = 503;
    await started();
    for (const times of [2, 3, 3]) {
      bench.clock.advance(5 * MINUTE_MS);
      await bench.toldUntil(times);
    }
  });
});

/** Reads webhooks from bytes as VoPay's pages show them, and as its simulator sends them. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { noDeadline } from '../../../test/support/tools/deadlines.ts';
import type { PaymentOrder } from '../../domain/payments/payment-rail.ts';
import { MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import { Secret } from '../../foundation/secret.ts';
import { createVoPayNotifications } from './notifications.ts';
import { openVoPayUnderTest, type VoPayUnderTest } from './rail-under-test.ts';

const cad = (minor: bigint) => ({ currency: 'CAD', minor }) as const;
const CAD_100 = cad(10_000n);

const keyOf = (record: string | number) => createHash('sha1').update(`shared-secret${record}`).digest('hex');
/** Records each query whether a payout is in the reported state. */
const asked: unknown[] = [];
const notifications = createVoPayNotifications({ sharedSecret: new Secret('shared-secret') }, (...about) => {
  asked.push(about);
  return async () => ({ kind: 'confirmed' });
});
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

describe('VoPay webhooks about payments', () => {
  it('a VoPay webhook about a payment makes the gateway query that payment and gets a 200 response', () => {
    const reading = read(SHOWN);
    assert.ok(reading.ok);
    assert.deepEqual(reading.value.news, asks('17-AbCd1234'));
    assert.equal(reading.value.acknowledgement.status, 200);
  });

  it('a VoPay webhook about a payment does not report anything else, whatever its status and amount', () => {
    for (const Status of ['successful', 'failed', 'cancelled', 'nonsense', null])
      for (const TransactionAmount of ['25262.00', '0', 'x']) {
        const reading = read({ ...SHOWN, Status, TransactionAmount });
        assert.deepEqual(reading.ok && reading.value.news, asks('17-AbCd1234'));
      }
  });

  it('a VoPay webhook contains the transaction number under either name, as a number or as a string', () => {
    for (const change of [{ ID: undefined }, { TransactionID: undefined }, { TransactionID: '97684' }])
      assert.ok(read({ ...SHOWN, ...change }).ok, JSON.stringify(change));
  });

  it('a VoPay webhook with a reference that is not ours is acknowledged and ignored', () => {
    for (const ClientReferenceNumber of ['', null, undefined, 'ABC97112731', '17-AbCd1234 ', '17-AbCd12345']) {
      const reading = read({ ...SHOWN, ClientReferenceNumber });
      assert.deepEqual(reading.ok && reading.value.news, []);
    }
  });

  it('a VoPay webhook without a valid key is unauthentic', () => {
    for (const change of [
      { ValidationKey: keyOf(97685) },
      { ValidationKey: '' },
      { ValidationKey: null },
      { TransactionID: 97685 },
      { TransactionID: undefined, ID: undefined, ValidationKey: keyOf('') },
    ])
      assert.deepEqual(read({ ...SHOWN, ...change }), { ok: false, error: { kind: 'unauthentic' } });
  });

  it('a VoPay webhook that is not a JSON object is malformed', () => {
    for (const body of ['', 'x', '[]', 'null', '{"ID":'])
      assert.deepEqual(read(body), { ok: false, error: { kind: 'malformed', reason: 'no JSON object' } });
  });
});

describe('webhooks of VoPay’s simulator about payments', () => {
  let bench: VoPayUnderTest;
  before(async () => {
    bench = await openVoPayUnderTest();
  });
  beforeEach(() => bench.reset());
  after(() => bench.close());

  const faults = (notifications: string) => bench.control('faults', { notifications });

  /** A payment whose payer has the message, which VoPay has reported. */
  async function started(notifications = 1): Promise<PaymentOrder> {
    const order = bench.order();
    const answer = await bench.rail.start(order, null, noDeadline());
    assert.ok(answer.kind === 'step');
    bench.clock.advance(SECOND_MS);
    if (notifications > 0) await bench.untilNotified(notifications);
    return { ...order, providerReference: answer.providerReference };
  }
  const accept = ({ reference }: PaymentOrder) => bench.control('act', { reference, behaviour: 'accept' });
  const statusOf = async (order: PaymentOrder) => bench.rail.ask(order, noDeadline());

  it('VoPay’s webhooks follow each step of a payment, and a query after the last webhook finds it paid', async () => {
    const order = await started();
    await accept(order);
    await bench.untilNotified(2);
    assert.equal((await statusOf(order)).kind, 'pending');
    bench.clock.advance(SECOND_MS);
    const notified = await bench.untilNotified(3);
    assert.deepEqual(notified, [asks(order.reference), asks(order.reference), asks(order.reference)]);
    assert.equal((await statusOf(order)).kind, 'paid');
  });

  it('a VoPay webhook that arrives twice reports the same query twice, and the payment is credited once', async () => {
    await faults('twice');
    const order = await started(2);
    await accept(order);
    assert.deepEqual(new Set((await bench.untilNotified(4)).map((news) => JSON.stringify(news))).size, 1);
    bench.clock.advance(SECOND_MS);
    await bench.untilNotified(6);
    assert.equal((await bench.control('summary'))['credits'], 1);
  });

  it('a status query finds a payment paid even if VoPay’s webhook is late or lost', async () => {
    for (const mode of ['late', 'off']) {
      await bench.reset();
      await faults(mode);
      const order = await started(0);
      await accept(order);
      bench.clock.advance(SECOND_MS);
      assert.equal((await statusOf(order)).kind, 'paid');
      await bench.untilNotified(0);
      bench.clock.advance(10 * SECOND_MS);
      await bench.untilNotified(mode === 'late' ? 3 : 0);
    }
  });

  it('VoPay’s webhooks out of order are reported in the order of arrival', async () => {
    await faults('out_of_order');
    const [first, second] = [await started(0), await started(0)];
    const notified = await bench.untilNotified(2);
    assert.deepEqual(notified, [asks(second.reference), asks(first.reference)]);
  });

  it('a false amount in a VoPay webhook does not change the paid amount', async () => {
    await faults('wrong_amount');
    const order = await started();
    await accept(order);
    await bench.untilNotified(2);
    bench.clock.advance(SECOND_MS);
    const status = await statusOf(order);
    assert.deepEqual(status.kind === 'paid' && status.money, order.money);
  });

  it('a VoPay webhook with a forged key is unauthentic', async () => {
    await faults('forged');
    await started(0);
    assert.deepEqual(await bench.untilNotified(1), [{ failure: 'unauthentic' }]);
  });

  it('a third party that reuses a VoPay webhook key does not pay anything', async () => {
    const [order, other] = [await started(), await started(2)];
    const id = Number(other.providerReference);
    await bench.control('made-up-webhook', { id, ClientReferenceNumber: order.reference, Status: 'successful' });
    assert.deepEqual((await bench.untilNotified(3)).at(-1), asks(order.reference));
    assert.equal((await statusOf(order)).kind, 'step');
  });

  it('a VoPay webhook about a different payment makes the gateway query that payment and has no effect', async () => {
    await faults('foreign_reference');
    const order = await started();
    assert.deepEqual(bench.notified, [asks('99-FoReIgN1')]);
    assert.equal((await statusOf(order)).kind, 'step');
  });

  it('VoPay repeats an unacknowledged webhook twice', async () => {
    bench.listener.status = 503;
    await started();
    for (const times of [2, 3, 3]) {
      bench.clock.advance(5 * MINUTE_MS);
      await bench.untilNotified(times);
    }
  });
});

describe('VoPay webhooks about payouts', () => {
  const ABOUT = { ...SHOWN, ClientReferenceNumber: 'P17-AbCd1234', TransactionType: 'Interac Bulk Payout' };
  const newsOf = (change: object) => {
    const reading = read({ ...ABOUT, ...change });
    assert.ok(reading.ok);
    const [news] = reading.value.news;
    return news?.kind === 'executed' || news?.kind === 'declined' || news?.kind === 'reversed' ? news : undefined;
  };
  const money = { currency: 'CAD', minor: 2_526_200n };

  it('a VoPay webhook about the final state of a payout is reported as an event that a query must confirm', () => {
    const { ask, ...executed } = newsOf({ Status: 'successful' }) ?? {};
    assert.deepEqual(executed, { kind: 'executed', reference: '17-AbCd1234', money });
    assert.ok(ask);
    const { ask: _ask, ...declined } = newsOf({ Status: 'cancelled', FailureReason: '3 - Reached cut-off' }) ?? {};
    assert.deepEqual(declined, {
      kind: 'declined',
      reference: '17-AbCd1234',
      money,
      blockedReason: 'expired',
      reason: 'VoPay reports cancelled 3: no one deposited it in time',
    });
    assert.deepEqual(asked.at(-1), [
      { reference: '17-AbCd1234' },
      { stage: 'ended', ending: { blockedReason: 'expired', reason: declined.reason, isUndeposited: true } },
    ]);
  });

  it('the VoPay rail reports a failed payout as reversed unless the reason proves that its recipient never deposited it', () => {
    for (const FailureReason of ['Returned', '', '901 - NSF']) {
      assert.equal(newsOf({ Status: 'failed', FailureReason })?.kind, 'reversed');
    }
  });

  it('a VoPay webhook about a payout without a final status does not report anything', () => {
    for (const Status of ['pending', 'in progress', 'requested', 'received', 'nonsense', null]) {
      assert.equal(newsOf({ Status }), undefined);
    }
  });

  it('a VoPay webhook about a payout with an unreadable amount does not report an amount', () => {
    assert.equal(newsOf({ Status: 'successful', TransactionAmount: 'x' })?.money, null);
  });
});

describe('webhooks of VoPay’s simulator about payouts', () => {
  let bench: VoPayUnderTest;
  before(async () => {
    bench = await openVoPayUnderTest();
  });
  beforeEach(() => bench.reset());
  after(() => bench.close());

  /** The news of the first `count` webhooks. */
  const newsUntil = async (count: number) => {
    const news = (await bench.untilNotified(count)).flatMap((notified) => ('failure' in notified ? [] : notified));
    return news.flatMap((item) => (item.kind === 'payment' || 'transfer' in item ? [] : item));
  };
  const paid = async (minor = 10_000n) => {
    const order = bench.payout({ money: { currency: 'CAD', minor } });
    await bench.payouts.send(order, noDeadline());
    bench.clock.advance(500);
    await bench.untilNotified(1);
    bench.clock.advance(SECOND_MS);
    return order;
  };

  it('a webhook about a payout is confirmed if VoPay’s response agrees', async () => {
    const { reference } = await paid();
    const [news] = await newsUntil(2);
    assert.deepEqual([news?.kind, news?.reference], ['executed', reference]);
    assert.deepEqual(await news?.ask?.(CAD_100, noDeadline()), { kind: 'confirmed' });
  });

  it('a VoPay webhook about a payout with a false amount is not confirmed', async () => {
    await paid();
    const [news] = await newsUntil(2);
    const other = { currency: 'CAD', minor: 9_999n } as const;
    assert.equal((await news?.ask?.(other, noDeadline()))?.kind, 'unconfirmed');
  });

  it('a VoPay webhook about a payout that failed after its deposit is confirmed as reversed', async () => {
    await paid(10_025n);
    await bench.untilNotified(2);
    bench.clock.advance(SECOND_MS);
    const [executed, reversed] = await newsUntil(3);
    assert.deepEqual([executed?.kind, reversed?.kind], ['executed', 'reversed']);
    assert.deepEqual(await reversed?.ask?.(cad(10_025n), noDeadline()), { kind: 'confirmed' });
    assert.equal((await executed?.ask?.(cad(10_025n), noDeadline()))?.kind, 'unconfirmed', 'it no longer is');
  });

  it('an invented webhook about a VoPay payout is not confirmed', async () => {
    const order = await paid();
    await newsUntil(2);
    const { entries } = (await bench.control('book')) as { entries: { id: number }[] };
    const lie = { ClientReferenceNumber: `P${order.reference}`, FailureReason: '3 - unclaimed', Status: 'cancelled' };
    await bench.control('made-up-webhook', { id: entries[0]?.id, ...lie });
    const [, madeUp] = await newsUntil(3);
    assert.equal(madeUp?.kind, 'declined');
    assert.equal((await madeUp?.ask?.(CAD_100, noDeadline()))?.kind, 'unconfirmed');
    await bench.control('faults', { look_ups: 'answer_error' });
    assert.equal((await madeUp?.ask?.(CAD_100, noDeadline()))?.kind, 'unconfirmed');
  });

  it('a webhook about a payout with a reason other than VoPay’s is not confirmed', async () => {
    await paid(10_015n);
    const [failed] = await newsUntil(2);
    assert.deepEqual(await failed?.ask?.(cad(10_015n), noDeadline()), { kind: 'confirmed' });
    const { entries } = (await bench.control('book')) as { entries: { id: number; reference: string }[] };
    const { id, reference } = entries[0] ?? assert.fail();
    const lie = { ClientReferenceNumber: reference, Status: 'failed', FailureReason: '3 - unclaimed' };
    await bench.control('made-up-webhook', { id, ...lie });
    const [, madeUp] = await newsUntil(3);
    assert.equal((await madeUp?.ask?.(cad(10_015n), noDeadline()))?.kind, 'unconfirmed');
  });
});

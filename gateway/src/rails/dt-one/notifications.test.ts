/**
 * Reads callbacks from bytes and from DT One's simulator. A callback with the password is only a hint, about which the
 * gateway queries DT One.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { noDeadline } from '../../../test/support/tools/deadlines.ts';
import type { PayoutNews } from '../../domain/notifications/rail-notification.ts';
import { SECOND_MS } from '../../foundation/clock.ts';
import type { Money } from '../../foundation/money.ts';
import { Secret } from '../../foundation/secret.ts';
import { basicAuthorization } from '../kit/basic-authorization.ts';
import { type Json, readObject } from '../kit/provider-json.ts';
import { createConfirmPayout, type NotifiedTransaction } from './confirm-payout.ts';
import { createDtOneNotifications } from './notifications.ts';
import { type DtOneUnderTest, openDtOneUnderTest } from './rail-under-test.ts';

const KZT_1000 = { currency: 'KZT', minor: 100_025n } as const;
const REQUESTED = { requested_values: { destination: { amount: 1000.25, unit: 'KZT', unit_type: 'CURRENCY' } } };

const AUTHORIZATION = basicAuthorization('dt-one', new Secret('password'));
const asked: NotifiedTransaction[] = [];
const notifications = createDtOneNotifications(
  { callbackUsername: 'dt-one', callbackPassword: new Secret('password') },
  (notification) => {
    asked.push(notification);
    return async () => ({ kind: 'confirmed' });
  },
);

function read(sent: unknown, authorization: string | undefined = AUTHORIZATION) {
  const body = Buffer.from(typeof sent === 'string' ? sent : JSON.stringify(sent));
  return notifications.read({ body, headers: { authorization }, clientAddress: '198.51.100.1' });
}

const notification = (classId: number, message: string, change: object = {}) => ({
  id: 2237512891,
  external_id: '17-AbCd1234',
  creation_date: '2026-11-20T20:05:05.883561000Z',
  status: { id: classId * 10_000, message, class: { id: classId, message: '' } },
  ...change,
});

const newsOf = (reading: ReturnType<typeof read>) => (reading.ok ? reading.value.news : reading.error);

describe('DT One’s callbacks', () => {
  beforeEach(() => {
    asked.length = 0;
  });

  it('a DT One callback with a final state is reported as an event that a query must confirm', () => {
    const ends: readonly (readonly [classId: number, message: string, kind: string])[] = [
      [7, 'COMPLETED', 'executed'],
      [9, 'DECLINED-INVALID-CREDIT-PARTY', 'declined'],
      [3, 'REJECTED', 'declined'],
      [8, 'REVERSED', 'reversed'],
    ];
    for (const [classId, message, kind] of ends) {
      const [news] = newsOf(read(notification(classId, message))) as readonly PayoutNews[];
      assert.deepEqual([news?.kind, news?.reference, news?.money], [kind, '17-AbCd1234', null]);
      assert.equal(typeof news?.ask, 'function');
    }
    assert.deepEqual(
      asked.map(({ state }) => state),
      ['executed', 'declined', 'declined', 'reversed'],
    );
  });

  it('a DT One callback is reported with the requested amount, if it has one', () => {
    const requested_values = { destination: { amount: 1000.25, unit: 'KZT', unit_type: 'CURRENCY' } };
    const [news] = newsOf(read(notification(7, 'COMPLETED', { requested_values }))) as readonly PayoutNews[];
    assert.deepEqual(news?.money, { currency: 'KZT', minor: 100_025n });
  });

  it('a DT One callback with an amount in a currency other than KZT is malformed', () => {
    const malformed = { kind: 'malformed', reason: 'no amount in tenge' };
    for (const destination of [
      { amount: -5, unit: 'KZT' },
      { amount: 1000.25, unit: 'USD' },
    ])
      assert.deepEqual(newsOf(read(notification(7, 'COMPLETED', { requested_values: { destination } }))), malformed);
  });

  it('a DT One callback without a final state is acknowledged and ignored', () => {
    for (const callback of [
      notification(2, 'CONFIRMED'),
      notification(5, 'SUBMITTED'),
      notification(6, 'SOMETHING'),
      notification(7, 'COMPLETED', { external_id: 'EX12345' }),
    ]) {
      const reading = read(callback);
      assert.deepEqual(newsOf(reading), []);
      assert.equal(reading.ok && reading.value.acknowledgement.status, 200);
    }
  });

  it('a DT One callback without valid credentials is unauthentic', () => {
    const other = [
      basicAuthorization('dt-one', new Secret('x')),
      basicAuthorization('x', new Secret('password')),
      AUTHORIZATION.toLowerCase(),
      '',
    ];
    for (const authorization of other)
      assert.deepEqual(read(notification(7, 'COMPLETED'), authorization), {
        ok: false,
        error: { kind: 'unauthentic' },
      });
    const bare = { body: Buffer.from('{}'), headers: {}, clientAddress: '' };
    assert.deepEqual(notifications.read(bare), { ok: false, error: { kind: 'unauthentic' } });
  });

  it('a DT One callback that is not a transaction is malformed', () => {
    for (const callback of [
      '',
      '[]',
      '{',
      {},
      notification(7, 'COMPLETED', { id: 'x' }),
      notification(7, 'COMPLETED', { status: 7 }),
    ])
      assert.equal((newsOf(read(callback)) as { kind?: string }).kind, 'malformed', JSON.stringify(callback));
  });
});

describe('callbacks of DT One’s simulator', () => {
  let bench: DtOneUnderTest;
  before(async () => {
    bench = await openDtOneUnderTest();
  });
  beforeEach(() => bench.reset());
  after(() => bench.close());

  /** DT One's confirmation of the latest callback's only news. */
  async function confirmation(money: Money = bench.order().money) {
    const [news] = bench.notified.at(-1) as readonly PayoutNews[];
    assert.ok(news?.ask);
    return news.ask(money, noDeadline());
  }

  it('a DT One callback is confirmed if DT One’s response agrees', async () => {
    await bench.control('faults', { transactions: 'reverse' });
    await bench.rail.send(bench.order(), noDeadline());
    bench.clock.advance(SECOND_MS);
    await bench.untilNotified(1);
    bench.clock.advance(SECOND_MS);
    await bench.untilNotified(2);
    assert.deepEqual(await confirmation(), { kind: 'confirmed' });
    bench.clock.advance(3 * SECOND_MS);
    const [, completed, reversed] = await bench.untilNotified(3);
    assert.deepEqual(
      [completed, reversed].map((news) => (news as readonly PayoutNews[])[0]?.kind),
      ['executed', 'reversed'],
    );
    assert.deepEqual(await confirmation(), { kind: 'confirmed' });
  });

  it('a DT One callback with a false state is not confirmed', async () => {
    await bench.control('faults', { notifications: 'lying', transactions: 'reject' });
    await bench.rail.send(bench.order(), noDeadline());
    bench.clock.advance(SECOND_MS);
    await bench.untilNotified(1);
    assert.deepEqual(await confirmation(), { kind: 'unconfirmed', reason: 'DT One reports REJECTED' });
  });

  it('a DT One callback is not confirmed if the query fails or does not find the transaction', async () => {
    await bench.control('faults', { transactions: 'reject' });
    await bench.rail.send(bench.order(), noDeadline());
    bench.clock.advance(SECOND_MS);
    await bench.untilNotified(1);
    for (const [queries, reason] of [
      ['not_yet', 'DT One does not find the transaction'],
      ['not_yet_404', 'DT One does not find the transaction'],
      ['answer_500', 'HTTP 500'],
    ]) {
      await bench.control('faults', { queries });
      assert.deepEqual(await confirmation(), { kind: 'unconfirmed', reason });
    }
  });

  it('a DT One callback with another password is unauthentic', async () => {
    await bench.control('faults', { notifications: 'forged', transactions: 'reject' });
    await bench.rail.send(bench.order(), noDeadline());
    bench.clock.advance(SECOND_MS);
    assert.deepEqual(await bench.untilNotified(1), [{ failure: 'unauthentic' }]);
  });

  it('a DT One callback is confirmed only by its own transaction and amount', async () => {
    const mine = notification(7, 'COMPLETED', { ...REQUESTED });
    const confirmedBy = (...answer: readonly object[]) =>
      createConfirmPayout({ get: async () => ({ kind: 'done', answer: answer as unknown as readonly Json[] }) })({
        id: String(mine.id),
        reference: mine.external_id,
        state: 'executed',
      })(KZT_1000, noDeadline());
    const text = (transaction: object) => readObject(JSON.stringify(transaction)) ?? {};
    const other = { destination: { amount: 1000.26, unit: 'KZT', unit_type: 'CURRENCY' } };
    assert.deepEqual(await confirmedBy(text(mine)), { kind: 'confirmed' });
    for (const answer of [
      [{ ...mine, id: mine.id + 1 }],
      [{ ...mine, external_id: '18-AbCd1234' }],
      [mine, { ...mine, id: mine.id + 1 }],
      [{ ...mine, requested_values: other }],
      [{ ...mine, requested_values: null }],
    ])
      assert.equal((await confirmedBy(...answer.map(text))).kind, 'unconfirmed', JSON.stringify(answer));
  });

  it('the gateway sends eight concurrent queries about DT One callbacks and leaves the ninth callback unconfirmed', async () => {
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const confirm = createConfirmPayout({
      get: async () => held.then(() => ({ kind: 'done', answer: [] as const })),
    });
    const ask = () => confirm({ id: '1', reference: '1-AbCd1234', state: 'executed' })(KZT_1000, noDeadline());
    const waiting = Array.from({ length: 8 }, ask);
    assert.deepEqual(await ask(), { kind: 'unconfirmed', reason: 'too many queries to DT One are in flight' });
    letGo();
    for (const answer of await Promise.all(waiting))
      assert.deepEqual(answer, { kind: 'unconfirmed', reason: 'DT One does not find the transaction' });
  });
});

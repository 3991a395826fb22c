/** Each magic amount at WayForPay: what is answered, what its book has, what is told. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it, type TestContext } from 'node:test';
import { aWhile, eventually } from '../kernel/inbox-under-test.ts';
import { entriesOf, type Play, playOut, type Row, testCourses } from '../kernel/magic-amounts-under-test.ts';
import { magicAmounts } from './magic-amounts.ts';
import { startWayForPayUnderTest } from './wayforpay-under-test.ts';

async function start(t: TestContext, amount: string): Promise<Play> {
  const wayforpay = await startWayForPayUnderTest(t);
  return {
    clock: wayforpay.clock,
    async send() {
      const { status, body } = await wayforpay.toCard({ amount: Number(amount) });
      return status === 200 ? `${body['transactionStatus']} ${body['reasonCode']}` : status;
    },
    async book() {
      const entries = entriesOf(await wayforpay.control('book')).filter(({ kind }) => kind !== 'told');
      return entries.map(({ kind, reasonCode }) => `${kind} ${reasonCode}`);
    },
    told: () => wayforpay.inbox.received.map(({ body }) => body['transactionStatus']),
  };
}

const pending = 'InProcessing 1131';
const paidLater = 'taken 1131, executed 1100';

const rows: readonly Row[] = [
  ['40', pending, paidLater, 'InProcessing, Approved'],
  ['41', pending, 'taken 1131, declined 1139', 'InProcessing, Declined'],
  ['42', pending, paidLater],
  ['44', 'never', 'executed 1100', 'Approved'],
  ['45', 'never', ''],
  ['50', 500, 'executed 1100', 'Approved'],
  ['51', 'Declined 1139', 'declined 1139', 'Declined'],
  ['52', 'Declined 1105', 'declined 1105', 'Declined'],
  ['53', 'Declined 1135', 'declined 1135', 'Declined'],
  ['60', 'Approved 1100', 'executed 1100, reversed 1100', 'Approved, Refunded'],
  ['61', 'Declined 1139', 'declined 1139, executed 1100', 'Declined, Approved'],
  ['62', 'Approved 1100', 'executed 1100', 'Approved'],
  ['63', pending, paidLater, 'InProcessing ×2, Approved ×2', 'InProcessing, Approved'],
];

describe('magic amounts at WayForPay', { concurrency: true }, () => {
  testCourses(rows, magicAmounts, start);

  it('lose .45 also when it is sent again', async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    const pay = () => wayforpay.toCard({ orderReference: 'P1', amount: 10.45 }, AbortSignal.timeout(200));
    for (const _time of ['first', 'second']) await assert.rejects(pay(), { name: 'TimeoutError' });
    assert.equal((await wayforpay.summary())['references'], 0);
  });

  it('know .50 when it is sent again', async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    const pay = () => wayforpay.toCard({ orderReference: 'P1', amount: 10.5 });
    assert.deepEqual(await pay(), { status: 500, body: { error: 'internal' } });
    assert.equal((await pay()).body['reasonCode'], 1112);
    assert.equal((await wayforpay.summary())['executions'], 1);
  });

  it('answer .62 only once it was told, whatever came of that', async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    const { promise, resolve } = Promise.withResolvers<{ status: number; body: string }>();
    wayforpay.inbox.answer = () => promise;
    let isAnswered = false;
    const answer = wayforpay.toCard({ amount: 10.62 }).finally(() => {
      isAnswered = true;
    });
    await eventually('it is told', () => wayforpay.inbox.received.length === 1);
    await aWhile();
    assert.equal(isAnswered, false);
    resolve({ status: 503, body: '' });
    assert.equal((await answer).body['transactionStatus'], 'Approved');
  });

  it('pick nothing where there are none, nor while a fault says what becomes of payouts', async (t) => {
    assert.equal((await playOut(await start(t, '10.00'))).answered, 'Approved 1100');
    const wayforpay = await startWayForPayUnderTest(t);
    assert.equal((await wayforpay.toAccount({ amount: 0.07 })).body['transactionStatus'], 'Approved');
    assert.equal((await wayforpay.toAccount({ amount: 10.51 })).body['transactionStatus'], 'Declined');
    await wayforpay.faults({ payouts: 'approve' });
    assert.equal((await wayforpay.toAccount({ amount: 10.51 })).body['transactionStatus'], 'Approved');
  });
});

it('the page has a row for every magic amount, and for no other', async () => {
  const text = await readFile(`${import.meta.dirname}/README.md`, 'utf8');
  const shown = [...text.matchAll(/^\| `\.(\d\d)` \| `(\w+)` \|/gm)].map(([, cents, payouts]) => [cents, payouts]);
  const picked = Object.entries(magicAmounts).map(([cents, { payouts }]) => [cents, payouts]);
  assert.deepEqual(Object.fromEntries(shown), Object.fromEntries(picked));
});

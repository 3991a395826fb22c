/** Each of the magic amounts, played over real HTTP on a clock that the test moves. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { aWhile, eventually } from '../provider-server/inbox-under-test.ts';
import { magicAmounts } from './conducts.ts';
import { startWayForPayUnderTest, type WayForPayUnderTest } from './wayforpay-under-test.ts';

interface Case {
  readonly cents: string;
  /** As it is answered, and as it stands in the end. */
  readonly first: string;
  readonly last: string;
  readonly executions: number;
  /** Everything that is told. */
  readonly told: readonly string[];
}

const cases: readonly Case[] = [
  { cents: '00', first: 'Approved 1100', last: 'Approved 1100', executions: 1, told: ['Approved'] },
  { cents: '40', first: 'InProcessing 1131', last: 'Approved 1100', executions: 1, told: ['InProcessing', 'Approved'] },
  { cents: '41', first: 'InProcessing 1131', last: 'Declined 1139', executions: 0, told: ['InProcessing', 'Declined'] },
  { cents: '42', first: 'InProcessing 1131', last: 'Approved 1100', executions: 1, told: [] },
  { cents: '51', first: 'Declined 1139', last: 'Declined 1139', executions: 0, told: ['Declined'] },
  { cents: '52', first: 'Declined 1105', last: 'Declined 1105', executions: 0, told: ['Declined'] },
  { cents: '53', first: 'Declined 1135', last: 'Declined 1135', executions: 0, told: ['Declined'] },
  { cents: '60', first: 'Approved 1100', last: 'Refunded 1100', executions: 1, told: ['Approved', 'Refunded'] },
  { cents: '61', first: 'Declined 1139', last: 'Approved 1100', executions: 1, told: ['Declined', 'Approved'] },
  { cents: '62', first: 'Approved 1100', last: 'Approved 1100', executions: 1, told: ['Approved'] },
  {
    ...{ cents: '63', first: 'InProcessing 1131', last: 'Approved 1100', executions: 1 },
    told: ['InProcessing', 'Approved', 'Approved', 'Approved'],
  },
];

const amountOf = (cents: string) => Number(`10.${cents}`);
const standing = (body: Readonly<Record<string, unknown>>) => `${body['transactionStatus']} ${body['reasonCode']}`;

/** Lets all that is due within a minute happen, each told before the next is due. */
async function passAMinute(wayforpay: WayForPayUnderTest): Promise<void> {
  for (let second = 0; second < 60; second += 1) {
    wayforpay.clock.advance(1_000);
    await new Promise(setImmediate);
  }
  await aWhile();
}

describe('the cents of an amount', () => {
  for (const { cents, first, last, executions, told } of cases)
    it(`.${cents}: ${first}, in the end ${last}, told ${told.length} times`, async (t) => {
      const wayforpay = await startWayForPayUnderTest(t);
      const { body } = await wayforpay.toCard({ orderReference: 'P1', amount: amountOf(cents) });
      assert.equal(standing(body), first);
      assert.equal(standing((await wayforpay.statusOf('P1')).body), first);
      wayforpay.clock.advance(100);
      await eventually('the first word', () => wayforpay.inbox.received.length === Math.min(1, told.length));
      await passAMinute(wayforpay);
      assert.equal(standing((await wayforpay.statusOf('P1')).body), last);
      assert.equal((await wayforpay.summary())['executions'], executions);
      assert.deepEqual(
        wayforpay.told(),
        told.map((status) => `P1 ${status}`),
      );
      assert.deepEqual(wayforpay.clock.delays(), []);
    });

  for (const [cents, executions] of [
    ['44', 1],
    ['45', 0],
  ] as const)
    it(`.${cents} is never answered, and executed ${executions} times`, async (t) => {
      const wayforpay = await startWayForPayUnderTest(t);
      const pay = () => wayforpay.toCard({ orderReference: 'P1', amount: amountOf(cents) }, AbortSignal.timeout(200));
      await assert.rejects(pay(), { name: 'TimeoutError' });
      assert.equal((await wayforpay.summary())['executions'], executions);
      if (executions === 0) await assert.rejects(pay(), { name: 'TimeoutError' }, 'nor is it the second time');
      assert.equal((await wayforpay.summary())['references'], executions);
    });

  it('.50 is executed and answered by HTTP 500; the same again is known', async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    const pay = () => wayforpay.toCard({ orderReference: 'P1', amount: 10.5 });
    assert.deepEqual(await pay(), { status: 500, body: { error: 'internal' } });
    assert.equal((await pay()).body['reasonCode'], 1112);
    assert.equal((await wayforpay.summary())['executions'], 1);
  });

  it('.62 is answered only once it was told, whatever came of that', async (t) => {
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

  it('.63 is told twice side by side, and a third time late', async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    await wayforpay.toCard({ orderReference: 'P1', amount: 10.63 });
    wayforpay.clock.advance(100);
    await eventually('its taking is told', () => wayforpay.inbox.received.length === 1);
    wayforpay.inbox.answer = () => new Promise(() => undefined);
    wayforpay.clock.advance(1_900);
    await eventually('two at once', () => wayforpay.inbox.received.length === 3);
    assert.ok(wayforpay.clock.delays().includes(10_000));
  });

  it('count for accounts as they do for cards, and not under another mode', async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    assert.equal((await wayforpay.toAccount({ amount: 10.51 })).body['transactionStatus'], 'Declined');
    await wayforpay.faults({ payouts: 'approve' });
    assert.equal((await wayforpay.toAccount({ amount: 10.51 })).body['transactionStatus'], 'Approved');
    await wayforpay.faults({ payouts: 'by_amount' });
    assert.equal((await wayforpay.toAccount({ amount: 0.07 })).body['transactionStatus'], 'Approved');
  });
});

it('the page has a row for every magic amount, and for no other', async () => {
  const text = await readFile(`${import.meta.dirname}/README.md`, 'utf8');
  const rows = [...text.matchAll(/^\| `\.(\d\d)` \| `(\w+)` \|/gm)].map(([, cents, play]) => [cents, play]);
  assert.deepEqual(Object.fromEntries(rows), magicAmounts);
});

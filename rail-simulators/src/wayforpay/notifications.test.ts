/** WayForPay's callbacks, and each magic amount. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it, type TestContext } from 'node:test';
import { aWhile, eventually } from '../kernel/inbox-under-test.ts';
import { entriesOf, type Play, playOut, type Row, testCourses } from '../kernel/magic-amounts-under-test.ts';
import { MAGIC_AMOUNTS } from './magic-amounts.ts';
import { hmac, startWayForPayUnderTest, type WayForPayUnderTest } from './under-test.ts';

const notified = (wayforpay: WayForPayUnderTest, count: number) =>
  eventually(`${count} callbacks`, () => wayforpay.inbox.received.length === count);

describe('a callback of WayForPay', () => {
  it('WayForPay sends a callback for each change after the response, signed by the rule for its kind of payout', async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    await wayforpay.faults({ payouts: 'approve_later' });
    await wayforpay.toCard({ orderReference: 'P1' });
    await aWhile();
    assert.deepEqual(wayforpay.notified(), []);
    wayforpay.clock.advance(100);
    await notified(wayforpay, 1);
    wayforpay.clock.advance(2_000);
    await notified(wayforpay, 2);
    assert.deepEqual(wayforpay.notified(), ['P1 InProcessing', 'P1 Approved']);
    const { merchantSignature } = wayforpay.inbox.received[1]?.body ?? {};
    assert.equal(merchantSignature, hmac('test_merch_n1;P1;100.7;UAH;123456;Approved;1100'));
  });

  it('a WayForPay callback is repeated until the client’s signed response', async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    const right = wayforpay.inbox.answer;
    const wrong = { orderReference: 'P1', status: 'accept', time: 1, signature: hmac('P1;accept;2') };
    const answers = [
      { status: 200, body: 'OK' },
      { status: 200, body: JSON.stringify(wrong) },
    ];
    wayforpay.inbox.answer = (message) => answers.shift() ?? right(message);
    await wayforpay.toCard({ orderReference: 'P1' });
    wayforpay.clock.advance(100);
    for (const [count, pauseMs] of [
      [1, 500],
      [2, 1_000],
    ] as const) {
      await eventually('the pause', () => wayforpay.clock.delays().includes(pauseMs));
      assert.equal(wayforpay.inbox.received.length, count);
      wayforpay.clock.advance(pauseMs);
    }
    await notified(wayforpay, 3);
    await eventually('it is booked', async () => {
      const { entries } = (await wayforpay.control('book')).body as { entries: { kind: string }[] };
      return entries.at(-1)?.kind === 'acknowledged';
    });
    assert.deepEqual(wayforpay.clock.delays(), []);
  });

  it('a fault makes WayForPay send a callback before its response', async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    await wayforpay.faults({ payouts: 'approve_notified_first' });
    await wayforpay.toCard({ orderReference: 'P1' });
    assert.deepEqual(wayforpay.notified(), ['P1 Approved']);
  });

  it('the “callbacks” fault decides when and how often WayForPay sends a callback', async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    const pay = async (callbacks: string, orderReference: string) => {
      await wayforpay.faults({ callbacks });
      await wayforpay.toCard({ orderReference });
      wayforpay.clock.advance(100);
    };
    await pay('twice', 'P1');
    await notified(wayforpay, 2);
    await pay('off', 'P2');
    await pay('late', 'P3');
    await aWhile();
    assert.equal(wayforpay.inbox.received.length, 2);
    wayforpay.clock.advance(10_000);
    await notified(wayforpay, 3);
    await pay('out_of_order', 'P4');
    await pay('out_of_order', 'P5');
    await notified(wayforpay, 5);
    assert.deepEqual(wayforpay.notified(), ['P1 Approved', 'P1 Approved', 'P3 Approved', 'P5 Approved', 'P4 Approved']);
  });

  it('faults forge a WayForPay callback, or put a different amount into it', async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    for (const callbacks of ['forged', 'wrong_amount']) {
      await wayforpay.faults({ callbacks });
      await wayforpay.toCard();
      wayforpay.clock.advance(100);
    }
    await notified(wayforpay, 2);
    const bodies = wayforpay.inbox.received.map(({ body }) => body);
    const isSigned = bodies.map((body) => {
      const { orderReference, merchantSignature, amount } = body;
      return merchantSignature === hmac(`test_merch_n1;${orderReference};${amount};UAH;123456;Approved;1100`);
    });
    assert.deepEqual(
      [isSigned, bodies.map(({ amount }) => amount)],
      [
        [false, true],
        [100.7, 999_999.99],
      ],
    );
  });
});

async function start(t: TestContext, amount: string): Promise<Play> {
  const wayforpay = await startWayForPayUnderTest(t);
  return {
    clock: wayforpay.clock,
    async send() {
      const { status, body } = await wayforpay.toCard({ amount: Number(amount) });
      return status === 200 ? `${body['transactionStatus']} ${body['reasonCode']}` : status;
    },
    async book() {
      const entries = entriesOf(await wayforpay.control('book')).filter(({ kind }) => kind !== 'acknowledged');
      return entries.map(({ kind, reasonCode }) => `${kind} ${reasonCode}`);
    },
    notified: () => wayforpay.inbox.received.map(({ body }) => body['transactionStatus']),
  };
}

const pending = 'InProcessing 1131';

const paidLater = 'accepted 1131, executed 1100';

const rows: readonly Row[] = [
  ['40', pending, paidLater, 'InProcessing, Approved'],
  ['41', pending, 'accepted 1131, declined 1139', 'InProcessing, Declined'],
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
  testCourses(rows, MAGIC_AMOUNTS, start);

  it('WayForPay recognises a repeated payout with .50', async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    const pay = () => wayforpay.toCard({ orderReference: 'P1', amount: 10.5 });
    assert.deepEqual(await pay(), { status: 500, body: { error: 'internal' } });
    assert.equal((await pay()).body['reasonCode'], 1112);
    assert.equal((await wayforpay.summary())['executions'], 1);
  });

  it('WayForPay responds to a payout with .62 only after its callback, whatever the client’s response was', async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    const { promise, resolve } = Promise.withResolvers<{ status: number; body: string }>();
    wayforpay.inbox.answer = () => promise;
    let isAnswered = false;
    const answer = wayforpay.toCard({ amount: 10.62 }).finally(() => {
      isAnswered = true;
    });
    await eventually('it is notified', () => wayforpay.inbox.received.length === 1);
    await aWhile();
    assert.equal(isAnswered, false);
    resolve({ status: 503, body: '' });
    assert.equal((await answer).body['transactionStatus'], 'Approved');
  });

  it('a WayForPay amount has an effect only if it is magic and no fault decides payouts', async (t) => {
    assert.equal((await playOut(await start(t, '10.00'))).answered, 'Approved 1100');
    const wayforpay = await startWayForPayUnderTest(t);
    assert.equal((await wayforpay.toAccount({ amount: 0.07 })).body['transactionStatus'], 'Approved');
    assert.equal((await wayforpay.toAccount({ amount: 10.51 })).body['transactionStatus'], 'Declined');
    await wayforpay.faults({ payouts: 'approve' });
    assert.equal((await wayforpay.toAccount({ amount: 10.51 })).body['transactionStatus'], 'Approved');
  });
});

it('the README of the WayForPay simulator has a row for each magic amount and for no other', async () => {
  const text = await readFile(`${import.meta.dirname}/README.md`, 'utf8');
  const shown = [...text.matchAll(/^\| `\.(\d\d)` \| `(\w+)` \|/gm)].map(([, cents, payouts]) => [cents, payouts]);
  const picked = Object.entries(MAGIC_AMOUNTS).map(([cents, { payouts }]) => [cents, payouts]);
  assert.deepEqual(Object.fromEntries(shown), Object.fromEntries(picked));
});

/** What WayForPay tells, how often, and what it takes for an answer; and its book over a restart. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { aWhile, eventually } from '../kernel/inbox-under-test.ts';
import { ManualClock } from '../manual-clock.ts';
import { hmac, startWayForPayUnderTest, type WayForPayUnderTest } from './wayforpay-under-test.ts';

const told = (wayforpay: WayForPayUnderTest, count: number) =>
  eventually(`${count} callbacks`, () => wayforpay.inbox.received.length === count);

describe('a callback', () => {
  it('tells each change after the answer, signed as of the payout’s kind', async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    await wayforpay.faults({ payouts: 'approve_later' });
    await wayforpay.toCard({ orderReference: 'P1' });
    await aWhile();
    assert.deepEqual(wayforpay.told(), []);
    wayforpay.clock.advance(100);
    await told(wayforpay, 1);
    wayforpay.clock.advance(2_000);
    await told(wayforpay, 2);
    assert.deepEqual(wayforpay.told(), ['P1 InProcessing', 'P1 Approved']);
    const { merchantSignature } = wayforpay.inbox.received[1]?.body ?? {};
    assert.equal(merchantSignature, hmac('test_merch_n1;P1;100.7;UAH;123456;Approved;1100'));
  });

  it('comes again until it is answered with the client’s signature', async (t) => {
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
    await told(wayforpay, 3);
    await eventually('it is booked', async () => {
      const { entries } = (await wayforpay.control('book')).body as { entries: { kind: string }[] };
      return entries.at(-1)?.kind === 'told';
    });
    assert.deepEqual(wayforpay.clock.delays(), []);
  });

  it('may come before the answer', async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    await wayforpay.faults({ payouts: 'approve_told_first' });
    await wayforpay.toCard({ orderReference: 'P1' });
    assert.deepEqual(wayforpay.told(), ['P1 Approved']);
  });

  it('goes wrong as the fault of the moment says', async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    const pay = async (callbacks: string, orderReference: string) => {
      await wayforpay.faults({ callbacks });
      await wayforpay.toCard({ orderReference });
      wayforpay.clock.advance(100);
    };
    await pay('twice', 'P1');
    await told(wayforpay, 2);
    await pay('off', 'P2');
    await pay('late', 'P3');
    await aWhile();
    assert.equal(wayforpay.inbox.received.length, 2);
    wayforpay.clock.advance(10_000);
    await told(wayforpay, 3);
    await pay('out_of_order', 'P4');
    await pay('out_of_order', 'P5');
    await told(wayforpay, 5);
    assert.deepEqual(wayforpay.told(), ['P1 Approved', 'P1 Approved', 'P3 Approved', 'P5 Approved', 'P4 Approved']);
  });

  it('may be forged, or of another amount', async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    for (const callbacks of ['forged', 'wrong_amount']) {
      await wayforpay.faults({ callbacks });
      await wayforpay.toCard();
      wayforpay.clock.advance(100);
    }
    await told(wayforpay, 2);
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

describe('WayForPay’s book on disk', () => {
  function newBookPath(t: TestContext): string {
    const folder = mkdtempSync(join(tmpdir(), 'wayforpay-'));
    t.after(() => rmSync(folder, { recursive: true }));
    return join(folder, 'book.jsonl');
  }

  it('holds what was answered over a restart, and what was still to happen then happens', async (t) => {
    const [bookPath, clock] = [newBookPath(t), new ManualClock(Date.UTC(2026, 10, 20))];
    const before = await startWayForPayUnderTest(t, { bookPath, clock });
    await before.faults({ payouts: 'approve_later' });
    await before.toCard({ orderReference: 'P1' });
    await before.close();
    const after = await startWayForPayUnderTest(t, { bookPath, clock });
    assert.equal((await after.toCard({ orderReference: 'P1' })).body['reasonCode'], 1112);
    assert.equal((await after.statusOf('P1')).body['transactionStatus'], 'InProcessing');
    clock.advance(2_000);
    assert.equal((await after.statusOf('P1')).body['transactionStatus'], 'Approved');
    assert.equal((await after.summary())['executions'], 1);
    assert.equal((await after.control('reset', {})).status, 409);
  });

  it('in memory is emptied with all that was still to happen', async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    await wayforpay.faults({ payouts: 'approve_later' });
    await wayforpay.toCard();
    await wayforpay.control('reset', {});
    wayforpay.clock.advance(60_000);
    await aWhile();
    assert.deepEqual([wayforpay.told(), (await wayforpay.summary())['references']], [[], 0]);
  });
});

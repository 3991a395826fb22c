/** WayForPay's book: its pages, what waits for it to be written, what it must never hold, and how it ends. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { aWhile, eventually, openInbox } from '../kernel/inbox-under-test.ts';
import { BookFailure } from '../kernel/journal.ts';
import { ManualClock } from '../manual-clock.ts';
import { Book, type BookEntry } from './book.ts';
import { noFaults } from './faults.ts';
import { usualDelays, WayForPay, type WayForPayParts } from './wayforpay.ts';
import { startWayForPayUnderTest } from './wayforpay-under-test.ts';

function newBookPath(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'wayforpay-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, 'book.jsonl');
}

describe('the pages of the book', () => {
  it('follow one another without gap or repetition', async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    for (let count = 0; count < 5; count += 1) await wayforpay.toCard();
    const seen: number[] = [];
    for (let page = [0]; page.length > 0; seen.push(...page)) {
      const { body } = await wayforpay.control(`book?after=${seen.length}&limit=2`);
      page = (body['entries'] as BookEntry[]).map(({ seq }) => seq);
    }
    assert.deepEqual(seen, [1, 2, 3, 4, 5]);
  });

  for (const query of ['after=-1', 'after=x', 'limit=0', 'limit=1001', 'limit=1.5'])
    it(`refuse ${query}`, async (t) => {
      const wayforpay = await startWayForPayUnderTest(t);
      assert.equal((await wayforpay.control(`book?${query}`)).status, 400);
    });

  it('tell the whole life of a payout in order', async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    const pay = () => wayforpay.toCard({ orderReference: 'P1', amount: 10.4, serviceUrl: '' });
    await pay();
    await pay();
    wayforpay.clock.advance(2_000);
    const { entries } = (await wayforpay.control('book')).body as { entries: BookEntry[] };
    assert.deepEqual(
      entries.map(({ kind, status }) => `${kind} ${status}`),
      ['taken InProcessing', 'repeated InProcessing', 'executed Approved'],
    );
  });
});

describe('a book on disk', () => {
  for (const [amount, delayMs, end] of [
    [10.4, 2_000, 'Approved'],
    [10.41, 2_000, 'Declined'],
    [10.6, 5_000, 'Refunded'],
    [10.61, 5_000, 'Approved'],
  ] as const) {
    it(`resumes ${amount} where the restart broke it off, at its own time`, async (t) => {
      const [bookPath, clock, inbox] = [newBookPath(t), new ManualClock(), await openInbox(t)];
      const before = await startWayForPayUnderTest(t, { bookPath, clock, inbox });
      await before.toCard({ amount });
      await before.close();
      clock.advance(500);
      const after = await startWayForPayUnderTest(t, { bookPath, clock, inbox });
      assert.deepEqual(clock.delays(), [delayMs - 500]);
      clock.advance(delayMs);
      await eventually('the callback', () => inbox.received.length === 1);
      assert.equal(inbox.received[0]?.body['transactionStatus'], end);
      assert.equal((await after.summary())['executions'], end === 'Declined' ? 0 : 1);
    });

    it(`resumes nothing of ${amount} once its change has happened`, async (t) => {
      const [bookPath, clock] = [newBookPath(t), new ManualClock()];
      const before = await startWayForPayUnderTest(t, { bookPath, clock });
      await before.toCard({ amount, orderReference: 'P1' });
      clock.advance(delayMs);
      await eventually('it has happened', () => readFileSync(bookPath, 'utf8').includes(`"status":"${end}"`));
      await before.close();
      const after = await startWayForPayUnderTest(t, { bookPath, clock });
      assert.deepEqual(clock.delays(), []);
      assert.equal((await after.statusOf('P1')).body['transactionStatus'], end);
    });
  }

  it('has no whole card number in it, nor has a page', async (t) => {
    const bookPath = newBookPath(t);
    const wayforpay = await startWayForPayUnderTest(t, { bookPath });
    await wayforpay.toCard({ cardBeneficiary: '5555555555554444' });
    const page = JSON.stringify((await wayforpay.control('book')).body);
    for (const text of [page, readFileSync(bookPath, 'utf8')]) {
      assert.match(text, /55\*\*\*\*4444/);
      assert.doesNotMatch(text, /5555555555554444/);
    }
  });
});

describe('closing', () => {
  it('ends held and waiting requests at once and leaves no timer behind', { timeout: 5_000 }, async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    wayforpay.inbox.answer = () => ({ status: 503, body: '' });
    await wayforpay.toCard({ amount: 10.4 });
    await wayforpay.toCard({ amount: 10.62 });
    const held = assert.rejects(wayforpay.toCard({ amount: 10.44, serviceUrl: '' }), /fetch failed/);
    await wayforpay.faults({ latency_ms: 700 });
    const slow = assert.rejects(wayforpay.toCard(), /fetch failed/);
    const waiting = [100, 500, 700, 2_000, 60_000];
    await eventually('all wait', () => waiting.every((delayMs) => wayforpay.clock.delays().includes(delayMs)));
    await wayforpay.close();
    await Promise.all([held, slow]);
    await aWhile();
    assert.deepEqual(wayforpay.clock.delays(), []);
  });

  it('forgets a callback that is under way', { timeout: 5_000 }, async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    wayforpay.inbox.answer = () => new Promise(() => undefined);
    await wayforpay.toCard();
    wayforpay.clock.advance(100);
    await eventually('it is under way', () => wayforpay.inbox.received.length === 1);
    await wayforpay.close();
    await aWhile();
    assert.deepEqual([wayforpay.clock.delays(), wayforpay.log], [[], []]);
  });
});

const instruction = { type: 'P2P_CREDIT', reference: 'P1', kopecks: 1_000n, beneficiary: '', serviceUrl: '' } as const;

/** Whose book is written as `append` does it. */
function wayforpayOn(append: WayForPayParts['journal']['append'], change: Partial<WayForPayParts> = {}): WayForPay {
  const callbacks = {} as WayForPayParts['callbacks'];
  const own = { book: new Book(), clock: new ManualClock(), delays: usualDelays, faults: noFaults, opening: 10_000n };
  const onBookFailure = (error: unknown) => assert.fail(String(error));
  return new WayForPay({ ...own, journal: { append, close: async () => {} }, callbacks, onBookFailure, ...change });
}

describe('an answer', () => {
  for (const times of ['first', 'repeated'] as const)
    it(`to a ${times} payout waits until the book is written`, async () => {
      let write = Promise.resolve();
      const wayforpay = wayforpayOn(() => write);
      if (times === 'repeated') await wayforpay.take(instruction, 'approve');
      const { promise, resolve } = Promise.withResolvers<void>();
      write = promise;
      let isAnswered = false;
      const answer = wayforpay.take(instruction, 'approve').then(() => {
        isAnswered = true;
      });
      await aWhile();
      assert.equal(isAnswered, false);
      resolve();
      await answer;
    });
});

describe('a book that can’t be written', () => {
  const failure = new BookFailure('no space left');

  it('fails the payout', async () => {
    await assert.rejects(wayforpayOn(() => Promise.reject(failure)).take(instruction, 'approve'), failure);
  });

  it('is reported also when it fails a change that nobody waits for', async () => {
    const clock = new ManualClock();
    const reported: unknown[] = [];
    let write = () => Promise.resolve();
    const onBookFailure = (error: unknown) => void reported.push(error);
    const wayforpay = wayforpayOn(() => write(), { clock, onBookFailure });
    await wayforpay.take(instruction, 'approve_later');
    write = () => Promise.reject(failure);
    clock.advance(2_000);
    await eventually('the report', () => reported.length > 0);
    assert.deepEqual(reported, [failure]);
  });
});

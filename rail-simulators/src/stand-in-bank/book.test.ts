/** The bank's book: what it counts, what it keeps over a restart, and what it must never hold. */
import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { ManualClock } from '../manual-clock.ts';
import { aWhile, eventually, openInbox } from '../provider-server/inbox-under-test.ts';
import { BookFailure, FileJournal } from '../provider-server/journal.ts';
import { StartupFault } from '../startup-fault.ts';
import { startBankUnderTest } from './bank-under-test.ts';
import { Book, type BookEntry } from './book.ts';
import { maskAccount } from './payout-instruction.ts';

function newBookPath(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'stand-in-bank-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, 'data', 'book.jsonl');
}

function entry(number: number, fields: Partial<BookEntry> = {}): Omit<BookEntry, 'seq'> {
  return {
    kind: 'executed',
    reference: `p-${number}`,
    remittance: `M1/A${number}`,
    method: 9,
    amount: '10.00',
    currency: 'EUR',
    masked_account: '411111****1111',
    content_digest: 'x',
    status: 'executed',
    reason: '',
    times_taken: 1,
    executions: 1,
    repeats: 0,
    notification: 'none',
    taken_at: '2026-01-01T00:00:00.000Z',
    changed_at: '2026-01-01T00:00:00.000Z',
    at: '2026-01-01T00:00:00.000Z',
    ...fields,
  };
}

describe('the summary', () => {
  it('names a remittance that was executed under two references', async (t) => {
    const bank = await startBankUnderTest(t);
    await bank.pay({ reference: 'p-1', remittance: 'M1/A17' });
    await bank.pay({ reference: 'p-2', remittance: 'M1/A17' });
    await bank.pay({ reference: 'p-3', remittance: 'M1/A18' });
    await bank.pay({ reference: 'p-4', remittance: 'M1/A18', amount: '10.51' });
    assert.deepEqual((await bank.get('/control/summary')).body, {
      references: 4,
      executed: 3,
      executions: 3,
      repeats: 0,
      executions_by_remittance_over_one: ['M1/A17'],
    });
  });

  it('takes no longer for a hundred thousand entries than for ten', () => {
    const time = (size: number) => {
      const book = new Book();
      for (let number = 0; number < size; number += 1) book.add(entry(number));
      const start = process.hrtime.bigint();
      for (let round = 0; round < 1_000; round += 1) book.summary();
      return Number(process.hrtime.bigint() - start) / 1e6;
    };
    time(10);
    // A summary that walked the book would take a thousand times a millisecond here.
    assert.ok(time(100_000) < 100);
  });
});

describe('the pages of the book', () => {
  it('follow one another without gap or repetition', async (t) => {
    const bank = await startBankUnderTest(t);
    for (let number = 1; number <= 5; number += 1) await bank.pay({ reference: `p-${number}` });
    const seen: unknown[] = [];
    for (let after = 0, page = [0]; page.length > 0; after += page.length) {
      const { body } = await bank.get(`/control/book?after=${after}&limit=2`);
      page = (body['entries'] as BookEntry[]).map(({ seq }) => seq);
      seen.push(...page);
    }
    assert.deepEqual(seen, [1, 2, 3, 4, 5]);
  });

  for (const query of ['after=-1', 'after=x', 'limit=0', 'limit=1001', 'limit=1.5']) {
    it(`refuse ${query}`, async (t) => {
      const bank = await startBankUnderTest(t);
      assert.equal((await bank.get(`/control/book?${query}`)).status, 400);
    });
  }

  it('tell the whole life of a payout in order', async (t) => {
    const bank = await startBankUnderTest(t);
    await bank.pay({ amount: '10.40' });
    await bank.pay({ amount: '10.40' });
    bank.clock.advance(2_000);
    const kinds = async () => ((await bank.get('/control/book')).body['entries'] as BookEntry[]).map((e) => e.kind);
    await eventually('the notification is accepted', async () => (await kinds()).length === 4);
    assert.deepEqual(await kinds(), ['taken', 'repeated', 'executed', 'notified']);
  });
});

describe('a book on disk', () => {
  it('holds an execution before it is answered, and over a restart', async (t) => {
    const bookPath = newBookPath(t);
    const before = await startBankUnderTest(t, { bookPath });
    await Promise.all(Array.from({ length: 50 }, (_, number) => before.pay({ reference: `p-${number}` })));
    const lines = readFileSync(bookPath, 'utf8').trim().split('\n');
    assert.equal(lines.length, 51, 'a heading and fifty executions, though nothing was closed yet');
    assert.match(lines[0] ?? '', /stand-in/);
    const summary = (await before.get('/control/summary')).body;
    await before.close();
    const after = await startBankUnderTest(t, { bookPath });
    assert.deepEqual((await after.get('/control/summary')).body, summary);
    assert.equal((await after.pay({ reference: 'p-7' })).body['status'], 'executed');
    assert.equal((await after.get('/control/summary')).body['executions'], 50);
  });

  for (const [amount, delayMs, end] of [
    ['10.40', 2_000, 'executed'],
    ['10.41', 2_000, 'declined'],
    ['10.60', 3_000, 'reversed'],
    ['10.61', 3_000, 'executed'],
  ] as const) {
    it(`resumes ${amount} where the restart broke it off, at its own time`, async (t) => {
      const bookPath = newBookPath(t);
      const clock = new ManualClock();
      const inbox = await openInbox(t);
      const before = await startBankUnderTest(t, { bookPath, clock, inbox });
      await before.pay({ amount });
      clock.advance(500);
      await before.close();
      const after = await startBankUnderTest(t, { bookPath, clock, inbox });
      assert.deepEqual(clock.delays(), [delayMs - 500]);
      clock.advance(delayMs);
      await eventually('the notification', () => inbox.received.length === 1);
      assert.equal(inbox.received[0]?.body['status'], end);
      assert.equal((await after.get('/control/summary')).body['executions'], end === 'declined' ? 0 : 1);
    });
  }

  for (const amount of ['10.40', '10.60', '10.61']) {
    it(`resumes nothing of ${amount} once its change has happened`, async (t) => {
      const bookPath = newBookPath(t);
      const clock = new ManualClock();
      const before = await startBankUnderTest(t, { bookPath, clock });
      await before.pay({ amount });
      clock.advance(3_000);
      await eventually('the change is accepted', () => readFileSync(bookPath, 'utf8').includes('"accepted"'));
      await before.close();
      const after = await startBankUnderTest(t, { bookPath, clock });
      assert.deepEqual(clock.delays(), []);
      assert.equal((await after.get('/control/summary')).body['executions'], 1);
    });
  }

  it('makes good at the start what fell due while the bank was away, and only once', async (t) => {
    const bookPath = newBookPath(t);
    const clock = new ManualClock();
    const inbox = await openInbox(t);
    const start = () => startBankUnderTest(t, { bookPath, clock, inbox });
    const first = await start();
    await first.pay({ amount: '10.40' });
    await first.close();
    clock.advance(86_400_000);
    const second = await start();
    clock.advance(0);
    await eventually('the notification', () => inbox.received.length === 1);
    await eventually('its acceptance is booked', () => readFileSync(bookPath, 'utf8').includes('"accepted"'));
    await second.close();
    await start();
    await aWhile();
    assert.equal(inbox.received.length, 1);
  });

  it('sends a notification that was never accepted again after a restart, under the same identifier', async (t) => {
    const bookPath = newBookPath(t);
    const inbox = await openInbox(t);
    inbox.answer = () => ({ status: 503, body: '' });
    const before = await startBankUnderTest(t, { bookPath, inbox });
    await before.pay({ amount: '10.62' });
    await before.close();
    await startBankUnderTest(t, { bookPath, inbox });
    await eventually('the second attempt', () => inbox.received.length === 2);
    assert.equal(inbox.received[0]?.raw, inbox.received[1]?.raw);
  });

  it('loses a half-written last line, which was never answered for, and goes on from there', async (t) => {
    const bookPath = newBookPath(t);
    const before = await startBankUnderTest(t, { bookPath });
    await before.pay({ reference: 'p-1' });
    await before.close();
    appendFileSync(bookPath, '{"seq":2,"kind":"exec');
    const torn = await startBankUnderTest(t, { bookPath });
    await torn.pay({ reference: 'p-2' });
    await torn.close();
    const after = await startBankUnderTest(t, { bookPath });
    assert.equal((await after.get('/control/summary')).body['references'], 2);
  });

  it('that spans many reads is read whole', async (t) => {
    const bookPath = newBookPath(t);
    const before = await startBankUnderTest(t, { bookPath });
    await before.close();
    const lines = Array.from({ length: 10_000 }, (_, index) => JSON.stringify({ ...entry(index), seq: index + 1 }));
    appendFileSync(bookPath, `${lines.join('\n')}\n`);
    const after = await startBankUnderTest(t, { bookPath });
    assert.equal((await after.get('/control/summary')).body['references'], 10_000);
  });

  for (const [what, text] of [
    ['of another kind', 'hello\n'],
    ['with a line missing', `{"stand_in_bank_book":1}\n${JSON.stringify({ ...entry(1), seq: 2 })}\n`],
    ['with a line of rubbish', '{"stand_in_bank_book":1}\n{"seq":\n'],
  ] as const) {
    it(`${what} is not touched, and the bank doesn't start`, async (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'stand-in-bank-'));
      t.after(() => rmSync(folder, { recursive: true }));
      const bookPath = join(folder, 'book.jsonl');
      writeFileSync(bookPath, text);
      await assert.rejects(startBankUnderTest(t, { bookPath }), (error: Error) => {
        assert.ok(error instanceof StartupFault);
        assert.match(error.message, /is damaged at line \d/);
        return true;
      });
      assert.equal(readFileSync(bookPath, 'utf8'), text);
    });
  }

  it('that can’t be written fails this entry and every later one', async () => {
    const journal = new FileJournal(openSync('/dev/full', 'a'));
    await assert.rejects(journal.append({ ...entry(1), seq: 1 }), BookFailure);
    await assert.rejects(journal.append({ ...entry(2), seq: 2 }), BookFailure);
    await journal.close();
  });
});

describe('card numbers', () => {
  it('are nowhere in the book, in none of the fields they can come in', async (t) => {
    const bookPath = newBookPath(t);
    const bank = await startBankUnderTest(t, { bookPath });
    await bank.pay({ reference: 'p-1', beneficiary: { account: '5300111122223333' } });
    await bank.pay({
      reference: 'p-2',
      method: 34,
      currency: 'UAH',
      beneficiary: { account: 'UA213223130000026007233566001', customs_card: '5300111122223333', full_name: 'Jo Do' },
    });
    const pages = JSON.stringify((await bank.get('/control/book')).body);
    for (const text of [pages, readFileSync(bookPath, 'utf8')]) {
      assert.match(text, /530011\*\*\*\*3333/);
      assert.match(text, /\*\*\*\*6001/);
      assert.doesNotMatch(text, /5300111122223333|UA2132231300|Jo Do/);
    }
  });

  it('don’t show in the digest: two that share what is kept have the same', async (t) => {
    const bank = await startBankUnderTest(t);
    await bank.pay({ reference: 'p-1', beneficiary: { account: '5300110000003333' } });
    assert.equal((await bank.pay({ beneficiary: { account: '5300119999993333' } })).status, 200);
  });

  for (const [account, masked] of [
    ['4111111111111111', '411111****1111'],
    ['4111 1111 1111 1111', '411111****1111'],
    ['411111111111', '411111****1111'],
    ['jo@example.com', '****.com'],
    ['77011234567', '****4567'],
    ['12345678', '****'],
  ] as const) {
    it(`${account} is kept as ${masked}`, () => assert.equal(maskAccount(account), masked));
  }
});

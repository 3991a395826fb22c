/** The journal of a book, and the sender that retries until acceptance. */
import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { ManualClock } from '../manual-clock.ts';
import { StartupFault } from '../startup-fault.ts';
import { aWhile, eventually, type Inbox, openInbox } from './inbox-under-test.ts';
import { BookFailure, FileJournal, openJournal, type Placed } from './journal.ts';
import { jsonLetter, post, RetryingSender, type SenderLimits } from './retrying-sender.ts';

interface Entry extends Placed {
  readonly what: string;
}

const title = { name: 'The book', mark: 'book_of_the_test', notice: 'Of a test: no money moved.' };

const entry = (seq: number): Entry => ({ seq, what: `payout ${seq}` });

function newPath(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'journal-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, 'data', 'book.jsonl');
}

function open(path: string | undefined) {
  const entries: Entry[] = [];
  const journal = openJournal<Entry>(path, title, (read) => void entries.push(read));
  return { journal, entries };
}

describe('the journal of a book', () => {
  it('a simulator’s journal writes an entry to disk before append resolves', async (t) => {
    const path = newPath(t);
    const { journal } = open(path);
    await Promise.all(Array.from({ length: 50 }, (_, index) => journal.append(entry(index + 1))));
    const [heading, ...lines] = readFileSync(path, 'utf8').trim().split('\n');
    assert.deepEqual(JSON.parse(heading ?? ''), { book_of_the_test: 1, notice: title.notice });
    assert.equal(lines.length, 50, 'though nothing was closed yet');
    await journal.close();
    const again = open(path);
    assert.deepEqual(
      again.entries,
      lines.map((_, index) => entry(index + 1)),
    );
    await again.journal.close();
  });

  it('a simulator’s journal drops an incomplete last line', async (t) => {
    const path = newPath(t);
    const before = open(path).journal;
    await before.append(entry(1));
    await before.close();
    appendFileSync(path, '{"seq":2,"wh');
    const torn = open(path);
    await torn.journal.append(entry(2));
    await torn.journal.close();
    const after = open(path);
    assert.deepEqual(after.entries, [entry(1), entry(2)]);
    await after.journal.close();
  });

  it('a journal longer than one read is read completely', async (t) => {
    const path = newPath(t);
    await open(path).journal.close();
    const lines = Array.from({ length: 100_000 }, (_, index) => JSON.stringify(entry(index + 1)));
    appendFileSync(path, `${lines.join('\n')}\n`);
    const { entries, journal } = open(path);
    assert.deepEqual([entries.length, entries.at(-1)], [100_000, entry(100_000)]);
    await journal.close();
  });

  for (const [what, text] of [
    ['of another kind', 'hello\n'],
    ['with a line missing', `{"book_of_the_test":1}\n${JSON.stringify(entry(2))}\n`],
    ['with a line of rubbish', '{"book_of_the_test":1}\n{"seq":\n'],
  ] as const)
    it(`a simulator does not start on a journal ${what}, and leaves it unchanged`, (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'journal-'));
      t.after(() => rmSync(folder, { recursive: true }));
      const path = join(folder, 'book.jsonl');
      writeFileSync(path, text);
      assert.throws(
        () => open(path),
        (error: Error) => error instanceof StartupFault && /^The book .* is damaged at line \d/.test(error.message),
      );
      assert.equal(readFileSync(path, 'utf8'), text);
    });

  it('a journal that cannot be written rejects this entry and every later one', async () => {
    const journal = new FileJournal<Entry>(openSync('/dev/full', 'a'));
    await assert.rejects(journal.append(entry(1)), BookFailure);
    await assert.rejects(journal.append(entry(2)), BookFailure);
    await journal.close();
  });
});

function senderTo(t: TestContext, url: string, limits?: SenderLimits) {
  const clock = new ManualClock();
  const log: string[] = [];
  const accepted: number[] = [];
  const sender = new RetryingSender<number, 'accepted'>({
    owner: 'A provider',
    nameOf: (message) => `message ${message}`,
    async attempt(message, signal) {
      const reply = await post(jsonLetter(url, { message }), signal);
      if ('refusal' in reply) return reply;
      return reply.status === 200 ? { answer: 'accepted' } : { refusal: `HTTP ${reply.status}` };
    },
    onAccepted: (message) => void accepted.push(message),
    clock,
    log: (line) => void log.push(line),
    ...(limits ? { limits } : {}),
  });
  t.after(() => sender.stop());
  return { sender, clock, log, accepted };
}

const refusing = (inbox: Inbox) => {
  inbox.answer = () => ({ status: 500, body: '' });
};

const isPausing = (clock: ManualClock, pauseMs: number) =>
  eventually(`a pause of ${pauseMs} ms`, () => clock.delays()[0] === pauseMs);

describe('the retrying sender', () => {
  it('the sender of a simulator repeats a message until it is accepted', async (t) => {
    const inbox = await openInbox(t);
    refusing(inbox);
    const { sender, clock, accepted } = senderTo(t, inbox.url);
    await sender.send(1);
    for (const pauseMs of [500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 60_000]) {
      await isPausing(clock, pauseMs);
      clock.advance(pauseMs - 1);
      assert.deepEqual(clock.delays(), [1]);
      clock.advance(1);
    }
    await isPausing(clock, 60_000);
    inbox.answer = () => ({ status: 200, body: '' });
    clock.advance(60_000);
    await eventually('it is accepted', () => accepted.length === 1);
    assert.equal(inbox.received.length, 10);
    assert.equal(new Set(inbox.received.map(({ raw }) => raw)).size, 1);
    assert.deepEqual(clock.delays(), []);
  });

  it('the sender does not follow redirects', async (t) => {
    const [inbox, elsewhere] = [await openInbox(t), await openInbox(t)];
    inbox.answer = () => ({ status: 307, body: '', location: elsewhere.url });
    const { sender, clock } = senderTo(t, inbox.url);
    await sender.send(1);
    await isPausing(clock, 500);
    assert.equal(elsewhere.received.length, 0);
  });

  it('the sender waits for an unreachable receiver, and logs it', async (t) => {
    const { sender, clock, log } = senderTo(t, 'http://127.0.0.1:9/');
    await sender.send(1);
    await isPausing(clock, 500);
    assert.match(log.join(), /^A provider: notification message 1 not accepted .*again in 500 ms$/);
  });
});

describe('the queue of the sender', () => {
  it('the sender limits messages in flight, and drops and logs those beyond its queue length', async (t) => {
    const inbox = await openInbox(t);
    const held: (() => void)[] = [];
    inbox.answer = () => new Promise((resolve) => held.push(() => resolve({ status: 200, body: '' })));
    const { sender, log, accepted } = senderTo(t, inbox.url, { inFlight: 2, waiting: 5 });
    for (let message = 1; message <= 6; message += 1) void sender.send(message);
    await eventually('two are under way', () => held.length === 2);
    await aWhile();
    assert.equal(inbox.received.length, 2);
    assert.deepEqual(log, ['A provider: too many notifications wait; message 6 is not sent']);
    await eventually('all five are accepted', () => {
      held.shift()?.();
      return accepted.length === 5;
    });
    assert.deepEqual(accepted.sort(), [1, 2, 3, 4, 5]);
  });

  it('the sender starts again after a stop, even when all its slots were in use', { timeout: 60_000 }, async (t) => {
    const inbox = await openInbox(t);
    inbox.answer = () => new Promise(() => undefined);
    const { sender, accepted } = senderTo(t, inbox.url, { inFlight: 1, waiting: 2 });
    const beforeStop = [sender.send(1), sender.send(2)];
    await eventually('one is under way', () => inbox.received.length === 1);
    sender.stop();
    inbox.answer = () => ({ status: 200, body: '' });
    await Promise.all([...beforeStop, sender.send(3)]);
    await eventually('the new one is accepted', () => accepted.length === 1);
    assert.deepEqual(accepted, [3]);
  });
});

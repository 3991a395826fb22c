/** The behaviour that all simulators share, tested with a fictional bank: book, control surface, restarts and notifications. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { ManualClock } from '../manual-clock.ts';
import { Bank, FAULT_TABLE, OrderBook, startBankUnderTest, USUAL_DELAYS } from './bank-under-test.ts';
import { BookFailure, type BookFile } from './book-file.ts';
import { aWhile, eventually, openInbox } from './inbox-under-test.ts';

function newBookPath(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'simulator-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, 'book.jsonl');
}

describe('the control surface of a simulator', () => {
  it('the control surface shows the book in pages without gaps or repeats and rejects invalid pages', async (t) => {
    const bank = await startBankUnderTest(t);
    for (const id of ['a', 'b', 'c', 'd', 'e']) await bank.order(id);
    const seen: number[] = [];
    for (let page = [0]; page.length > 0; seen.push(...page)) {
      const { body } = await bank.control(`book?after=${seen.length}&limit=2`);
      page = (body['entries'] as { seq: number }[]).map(({ seq }) => seq);
    }
    assert.deepEqual(seen, [1, 2, 3, 4, 5]);
    for (const query of ['after=-1', 'after=x', 'limit=0', 'limit=1001', 'limit=1.5'])
      assert.equal((await bank.control(`book?${query}`)).status, 400, query);
  });

  it('the control surface changes the faults that a request names and rejects unknown names and values', async (t) => {
    const bank = await startBankUnderTest(t);
    const changed = await bank.control('faults', { orders: 'lose', latency_ms: 5 });
    assert.deepEqual(changed.body, { ...FAULT_TABLE.noFaults, orders: 'lose', latency_ms: 5 });
    const wrong = [
      { orders: 'x' },
      { order: 'lose' },
      { down: 1 },
      { latency_ms: -1 },
      { answer_500: 1.5 },
      { x: 1 },
      [],
    ];
    for (const body of wrong) {
      const [field = 'body'] = Object.keys(body);
      assert.deepEqual(await bank.control('faults', body), { status: 400, body: { error: 'invalid', field } });
    }
  });

  it('a reset never empties a book on disk', async (t) => {
    const bank = await startBankUnderTest(t);
    await bank.order('a');
    await bank.control('faults', { orders: 'lose' });
    assert.equal((await bank.control('reset', {})).status, 200);
    assert.deepEqual((await bank.control('faults', {})).body, FAULT_TABLE.noFaults);
    assert.deepEqual(bank.clock.delays(), []);
    assert.deepEqual((await bank.control('summary')).body, { orders: 0, paid: 0 });
    assert.equal((await bank.order('a')).body['seq'], 1);
    const lasting = await startBankUnderTest(t, { bookPath: newBookPath(t) });
    assert.deepEqual(await lasting.control('reset', {}), { status: 409, body: { error: 'book_is_on_disk' } });
  });

  it('the control surface is absent when it is disabled', async (t) => {
    const bank = await startBankUnderTest(t, { control: false });
    assert.equal((await bank.control('summary')).status, 404);
  });
});

describe('the book of a simulator on disk', () => {
  it('a restarted simulator resumes pending work at its due time', async (t) => {
    const [bookPath, clock] = [newBookPath(t), new ManualClock()];
    const before = await startBankUnderTest(t, { bookPath, clock });
    await before.order('a');
    await before.close();
    clock.advance(500);
    const after = await startBankUnderTest(t, { bookPath, clock });
    assert.deepEqual(clock.delays(), [1_500]);
    clock.advance(1_500);
    await eventually('it is paid', () => after.notified().includes('a paid'));
    await eventually('it is written', () => readFileSync(bookPath, 'utf8').includes('"paid"'));
    await after.close();
    const last = await startBankUnderTest(t, { bookPath, clock });
    assert.deepEqual([clock.delays(), (await last.control('summary')).body], [[], { orders: 1, paid: 1 }]);
  });

  it('a simulator’s book begins with its owner, and the notice that no money moved', async (t) => {
    const bookPath = newBookPath(t);
    await startBankUnderTest(t, { bookPath });
    const notice = 'A simulator of Bank for development: no money moved.';
    assert.deepEqual(JSON.parse(readFileSync(bookPath, 'utf8')), { a_bank_simulator_book: 1, notice });
  });
});

function bankOn(
  append: BookFile<object>['append'],
  onBookFailure: (error: unknown) => void = (error) => assert.fail(String(error)),
) {
  const clock = new ManualClock();
  const parts = {
    book: new OrderBook(),
    faults: { ...FAULT_TABLE.noFaults },
    delays: USUAL_DELAYS,
    clock,
    log: () => {},
  };
  const bookFile = { append, close: async () => {} };
  return { clock, bank: new Bank({ ...parts, bookFile, onBookFailure, openUrl: () => '' }) };
}

describe('the response of a simulator', () => {
  it('a simulator responds only after the book is written', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let isAnswered = false;
    const answer = bankOn(() => promise)
      .bank.accept('a')
      .then(() => {
        isAnswered = true;
      });
    await aWhile();
    assert.equal(isAnswered, false);
    resolve();
    await answer;
  });

  it('a simulator whose book cannot be written rejects the request and logs a failure in the background', async () => {
    const failure = new BookFailure('no space left');
    const reported: unknown[] = [];
    let write = () => Promise.resolve();
    const { bank, clock } = bankOn(
      () => write(),
      (error) => void reported.push(error),
    );
    await bank.accept('a');
    write = () => Promise.reject(failure);
    await assert.rejects(bank.accept('b'), failure);
    clock.advance(2_000);
    await eventually('the report', () => reported.length > 0);
    assert.deepEqual(reported, [failure]);
  });
});

describe('the end of a simulator', () => {
  it('a closed simulator closes its open connections and leaves no timer or notification', {
    timeout: 60_000,
  }, async (t) => {
    const bank = await startBankUnderTest(t);
    bank.inbox.answer = () => new Promise(() => undefined);
    await bank.order('a');
    await bank.control('faults', { orders: 'lose', latency_ms: 700 });
    const slow = assert.rejects(bank.order('b'), /fetch failed/);
    await eventually('it is under way', () => bank.notified().length === 1 && bank.clock.delays().includes(700));
    bank.clock.advance(700);
    await eventually('the answer is held', () => bank.clock.delays().includes(60_000));
    await bank.close();
    await slow;
    await aWhile();
    assert.deepEqual([bank.clock.delays(), bank.log], [[], []]);
  });
});

describe('the notifications of a simulator', () => {
  const modes: readonly (readonly [mode: string, soon: readonly string[], later: readonly string[]])[] = [
    ['on', ['a accepted', 'a paid'], []],
    ['off', [], []],
    ['twice', ['a accepted', 'a accepted', 'a paid', 'a paid'], []],
    ['twice_and_late', ['a accepted', 'a accepted', 'a paid', 'a paid'], ['a accepted', 'a paid']],
    ['late', [], ['a accepted', 'a paid']],
    ['out_of_order', ['a paid', 'a accepted'], []],
  ];
  for (const [notifications, soon, later] of modes)
    it(`under the fault ${notifications} the first notifications of an order and its payment are ${soon.join(', ') || 'none'}`, async (t) => {
      const bank = await startBankUnderTest(t);
      await bank.control('faults', { notifications });
      await bank.order('a');
      await aWhile();
      bank.clock.advance(2_000);
      if (soon.length > 0) await eventually('the first', () => bank.notified().length >= soon.length);
      await aWhile();
      assert.deepEqual(bank.notified(), soon);
      bank.clock.advance(10_000);
      await eventually('the late ones', () => bank.notified().length >= soon.length + later.length);
      await aWhile();
      assert.deepEqual(bank.notified().slice(soon.length).sort(), [...later].sort());
    });

  it('a simulator retries a notification until it is accepted and sends a payout’s notifications in order', async (t) => {
    const inbox = await openInbox(t);
    inbox.answer = () => ({ status: 500, body: '' });
    const bank = await startBankUnderTest(t, { inbox });
    await bank.order('a');
    await eventually('the first', () => bank.notified().length === 1);
    inbox.answer = () => ({ status: 204, body: '' });
    await eventually('a pause', () => bank.clock.delays().includes(500));
    bank.clock.advance(500);
    await eventually('it again', () => bank.notified().length === 2);
    bank.clock.advance(1_500);
    await eventually('the end', () => bank.notified().length === 3);
    assert.deepEqual(bank.notified(), ['a accepted', 'a accepted', 'a paid']);
    assert.deepEqual(bank.log, ['Bank: notification a not accepted (HTTP 500), again in 500 ms']);
  });
});

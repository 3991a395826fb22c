/** The control surface: the faults it switches on, over real HTTP, and where it isn't to be found. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { aWhile, eventually } from '../provider-server/inbox-under-test.ts';
import { startBankUnderTest } from './bank-under-test.ts';

describe('a bank that is down', () => {
  it('drops every connection and takes nothing, but can be brought up again', async (t) => {
    const bank = await startBankUnderTest(t);
    await bank.post('/control/faults', { down: true });
    await assert.rejects(bank.pay({}), /fetch failed/);
    await assert.rejects(bank.get('/stand-in/v1/payouts/p-1'), /fetch failed/);
    assert.equal((await bank.get('/control/summary')).body['references'], 0);
    await bank.post('/control/faults', { down: false });
    assert.equal((await bank.pay({})).status, 200);
  });
});

describe('a bank that is slow', () => {
  it('takes a payout only after its latency, even when the client is gone by then', async (t) => {
    const bank = await startBankUnderTest(t);
    await bank.post('/control/faults', { latency_ms: 700 });
    const gaveUp = assert.rejects(bank.pay({}, AbortSignal.timeout(200)), { name: 'TimeoutError' });
    await eventually('the request waits', () => bank.clock.delays()[0] === 700);
    await gaveUp;
    assert.equal((await bank.get('/control/summary')).body['references'], 0);
    bank.clock.advance(700);
    assert.equal((await bank.get('/control/summary')).body['executions'], 1);
  });
});

describe('a bank that fails', () => {
  it('answers 500 to as many requests as asked for, takes none of them, and then goes on', async (t) => {
    const bank = await startBankUnderTest(t);
    await bank.post('/control/faults', { answer_500: 2 });
    assert.equal((await bank.pay({})).status, 500);
    assert.equal((await bank.get('/stand-in/v1/payouts/p-1')).status, 500);
    assert.equal((await bank.get('/stand-in/v1/payouts/p-1')).status, 404);
    assert.equal((await bank.pay({})).status, 200);
  });
});

describe('a bank that doesn’t deduplicate', () => {
  it('executes a repeated reference again, and its book shows it', async (t) => {
    const bank = await startBankUnderTest(t);
    await bank.post('/control/faults', { dedupe: false });
    await bank.pay({});
    await bank.pay({});
    const { body } = await bank.get('/control/summary');
    assert.deepEqual([body['executed'], body['executions'], body['repeats']], [1, 2, 1]);
    assert.deepEqual(body['executions_by_remittance_over_one'], ['M1/A17']);
  });

  it('executes a payout taken twice while pending twice', async (t) => {
    const bank = await startBankUnderTest(t);
    await bank.post('/control/faults', { dedupe: false });
    await bank.pay({ amount: '10.42' });
    await bank.pay({ amount: '10.42' });
    bank.clock.advance(2_000);
    assert.equal((await bank.get('/control/summary')).body['executions'], 2);
  });

  it('still executes nothing for a declined one', async (t) => {
    const bank = await startBankUnderTest(t);
    await bank.post('/control/faults', { dedupe: false });
    await bank.pay({ amount: '10.51' });
    await bank.pay({ amount: '10.51' });
    assert.equal((await bank.get('/control/summary')).body['executions'], 0);
  });
});

describe('a change of faults', () => {
  it('keeps what it doesn’t name and answers them all', async (t) => {
    const bank = await startBankUnderTest(t);
    await bank.post('/control/faults', { latency_ms: 5 });
    const { body } = await bank.post('/control/faults', { notifications: 'twice' });
    assert.deepEqual(body, { down: false, latency_ms: 5, answer_500: 0, dedupe: true, notifications: 'twice' });
  });

  for (const [field, change] of [
    ['down', { down: 'yes' }],
    ['latency_ms', { latency_ms: -1 }],
    ['answer_500', { answer_500: 1.5 }],
    ['dedupe', { dedupe: 0 }],
    ['notifications', { notifications: 'sometimes' }],
    ['latency', { latency: 5 }],
    ['toString', { toString: true }],
    ['body', []],
  ] as const) {
    it(`that is ${JSON.stringify(change)} is refused and changes nothing`, async (t) => {
      const bank = await startBankUnderTest(t);
      const answer = await bank.post('/control/faults', change);
      assert.deepEqual(answer, { status: 400, body: { error: 'invalid', field } });
      assert.equal((await bank.pay({})).status, 200);
    });
  }
});

describe('a reset', () => {
  it('empties a book in memory with its timers, its notifications and its faults', async (t) => {
    const bank = await startBankUnderTest(t);
    bank.inbox.answer = () => ({ status: 503, body: '' });
    await bank.pay({ reference: 'p-1', amount: '10.40' });
    await bank.pay({ reference: 'p-2', amount: '10.62' });
    await bank.post('/control/faults', { latency_ms: 5 });
    assert.equal((await bank.post('/control/reset', {})).status, 200);
    assert.deepEqual(bank.clock.delays(), []);
    assert.equal((await bank.get('/stand-in/v1/payouts/p-1')).status, 404);
    assert.deepEqual((await bank.get('/control/summary')).body, {
      references: 0,
      executed: 0,
      executions: 0,
      repeats: 0,
      executions_by_remittance_over_one: [],
    });
    await bank.pay({ reference: 'p-1' });
    await aWhile();
    assert.equal(bank.inbox.received.length, 1);
  });

  it('is refused for a book on disk', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'stand-in-bank-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const bank = await startBankUnderTest(t, { bookPath: join(folder, 'book.jsonl') });
    await bank.pay({});
    assert.deepEqual(await bank.post('/control/reset', {}), { status: 409, body: { error: 'book_is_on_disk' } });
    assert.equal((await bank.get('/control/summary')).body['references'], 1);
  });
});

it('without its control surface the bank answers nothing under /control', async (t) => {
  const bank = await startBankUnderTest(t, { control: false });
  for (const path of ['/control/book', '/control/summary']) assert.equal((await bank.get(path)).status, 404);
  for (const path of ['/control/faults', '/control/reset']) {
    assert.equal((await bank.post(path, { down: true })).status, 404);
  }
  assert.equal((await bank.pay({})).status, 200);
});

/** The bank as a whole thing: how it ends, and how it behaves once its book can't be written. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { TimerSet } from '../clock.ts';
import { ManualClock } from '../manual-clock.ts';
import { createProviderServer, requestListener } from '../provider-server/http-server.ts';
import { aWhile, eventually } from '../provider-server/inbox-under-test.ts';
import { BookFailure, type Journal } from '../provider-server/journal.ts';
import { Bank } from './bank.ts';
import { payout, secret, startBankUnderTest } from './bank-under-test.ts';
import { Book, type BookEntry } from './book.ts';
import { noFaults } from './faults.ts';
import { usualDelays } from './magic-amounts.ts';
import { type PayoutInstruction, parsePayoutInstruction } from './payout-instruction.ts';

function instruction(amount: string): PayoutInstruction {
  const parsed = parsePayoutInstruction(payout({ amount }));
  assert.ok('instruction' in parsed);
  return parsed.instruction;
}

const neverExpected = (error: unknown) => assert.fail(String(error));

function bankOn(
  append: Journal<BookEntry>['append'],
  clock: ManualClock,
  onBookFailure: (error: unknown) => void,
): Bank {
  const journal = { append, close: () => Promise.resolve() };
  const parts = { book: new Book(), journal, clock, delays: usualDelays, faults: noFaults, notifier: undefined };
  return new Bank({ ...parts, onBookFailure });
}

describe('closing the bank', () => {
  it('ends held and waiting requests at once and leaves no timer behind', { timeout: 5_000 }, async (t) => {
    const bank = await startBankUnderTest(t);
    bank.inbox.answer = () => ({ status: 503, body: '' });
    await bank.pay({ reference: 'p-1', amount: '10.40' });
    await bank.pay({ reference: 'p-2', amount: '10.62' });
    const held = assert.rejects(bank.pay({ reference: 'p-3', amount: '10.44' }), /fetch failed/);
    await bank.post('/control/faults', { latency_ms: 700 });
    const slow = assert.rejects(bank.pay({ reference: 'p-4' }), /fetch failed/);
    await eventually('all wait', () => bank.clock.delays().join() === '500,700,2000,60000');
    await bank.close();
    await Promise.all([held, slow]);
    await aWhile();
    assert.deepEqual(bank.clock.delays(), []);
  });

  it('forgets a notification that is under way', { timeout: 5_000 }, async (t) => {
    const bank = await startBankUnderTest(t);
    bank.inbox.answer = () => new Promise(() => undefined);
    await bank.pay({ amount: '10.40' });
    bank.clock.advance(2_000);
    await eventually('it is under way', () => bank.inbox.received.length === 1);
    await bank.close();
    await aWhile();
    assert.deepEqual([bank.clock.delays(), bank.log], [[], []]);
  });
});

describe('an answer', () => {
  for (const times of ['first', 'repeated'] as const) {
    it(`to a ${times} instruction waits until the book is written`, async () => {
      let write = Promise.resolve();
      const bank = bankOn(() => write, new ManualClock(), neverExpected);
      if (times === 'repeated') await bank.submit(instruction('10.00'));
      const { promise, resolve } = Promise.withResolvers<void>();
      write = promise;
      let isAnswered = false;
      const answer = bank.submit(instruction('10.00')).then(() => {
        isAnswered = true;
      });
      await aWhile();
      assert.equal(isAnswered, false);
      resolve();
      await answer;
    });
  }
});

describe('a book that can’t be written', () => {
  const failure = new BookFailure('no space left');

  it('fails the instruction', async () => {
    const bank = bankOn(() => Promise.reject(failure), new ManualClock(), neverExpected);
    await assert.rejects(bank.submit(instruction('10.00')), failure);
  });

  it('is reported also when it fails a change that nobody waits for', async () => {
    const clock = new ManualClock();
    const reported: unknown[] = [];
    let write = () => Promise.resolve();
    const bank = bankOn(
      () => write(),
      clock,
      (error) => reported.push(error),
    );
    await bank.submit(instruction('10.40'));
    write = () => Promise.reject(failure);
    clock.advance(2_000);
    await eventually('the report', () => reported.length > 0);
    assert.deepEqual(reported, [failure]);
  });

  it('drops the connection of the request that met it, and every one from then on', async (t) => {
    const reported: unknown[] = [];
    const server = createProviderServer();
    const edge = { secret, needsSecret: 'everything', serverHeader: 'a test' } as const;
    const routes = [{ verb: 'GET', path: '/fails', answer: () => Promise.reject(failure) } as const];
    const isSilenced = () => reported.length > 0;
    const onFailure = (error: unknown) => reported.push(error);
    const timers = new TimerSet(new ManualClock());
    server.on(
      'request',
      requestListener({ ...edge, routes, faults: noFaults, timers, holdMs: 1, isSilenced, onFailure }),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const headers = { authorization: `Bearer ${secret}` };
    assert.equal((await fetch(`${url}/other`, { headers })).status, 404);
    await assert.rejects(fetch(`${url}/fails`, { headers }), /fetch failed/);
    await assert.rejects(fetch(`${url}/other`, { headers }), /fetch failed/);
    assert.deepEqual(reported, [failure]);
  });
});

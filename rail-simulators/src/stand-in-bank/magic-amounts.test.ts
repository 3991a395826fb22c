/** Each row of the magic amounts, played over real HTTP on a clock that the test moves. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { aWhile, eventually } from '../provider-server/inbox-under-test.ts';
import { type BankUnderTest, startBankUnderTest } from './bank-under-test.ts';
import { magicAmounts } from './magic-amounts.ts';

const path = '/stand-in/v1/payouts/p-1';

async function present(bank: BankUnderTest): Promise<unknown[]> {
  const { body } = await bank.get(path);
  return [body['status'], body['reason'], body['reversed'] ?? false];
}

async function executions(bank: BankUnderTest): Promise<unknown> {
  return (await bank.get('/control/summary')).body['executions'];
}

async function notified(bank: BankUnderTest, count: number): Promise<unknown[]> {
  await eventually(`${count} notifications`, () => bank.inbox.received.length >= count);
  await aWhile();
  return bank.inbox.received.map(({ body }) => body['status']);
}

/** What a client sees that gives up soon. */
async function payAndGiveUp(bank: BankUnderTest, amount: string): Promise<void> {
  await assert.rejects(bank.pay({ amount }, AbortSignal.timeout(200)), { name: 'TimeoutError' });
}

describe('cents declined at once', () => {
  for (const [cents, reason] of [
    ['51', 'declined_by_bank'],
    ['52', 'bad_recipient'],
    ['53', 'limit'],
  ] as const) {
    it(`.${cents} is declined as ${reason} and executes nothing`, async (t) => {
      const bank = await startBankUnderTest(t);
      const { body } = await bank.pay({ amount: `10.${cents}` });
      assert.deepEqual(body, { reference: 'p-1', status: 'declined', reason });
      assert.equal(await executions(bank), 0);
    });
  }
});

describe('cents that stay pending first', () => {
  for (const [cents, end, reason, told] of [
    ['40', 'executed', '', ['executed']],
    ['41', 'declined', 'declined_by_bank', ['declined']],
    ['42', 'executed', '', []],
  ] as const) {
    it(`.${cents} is ${end} after two seconds with ${told.length} notification(s)`, async (t) => {
      const bank = await startBankUnderTest(t);
      const { body } = await bank.pay({ amount: `10.${cents}` });
      assert.deepEqual(body, { reference: 'p-1', status: 'pending', reason: '' });
      bank.clock.advance(1_999);
      assert.deepEqual([await present(bank), await executions(bank)], [['pending', '', false], 0]);
      bank.clock.advance(1);
      assert.deepEqual(await present(bank), [end, reason, false]);
      assert.equal(await executions(bank), end === 'executed' ? 1 : 0);
      assert.deepEqual(await notified(bank, told.length), told);
    });
  }

  it('.63 tells of its execution twice at once and a third time late, always as the same notification', async (t) => {
    const bank = await startBankUnderTest(t);
    await bank.pay({ amount: '10.63' });
    bank.clock.advance(2_000);
    assert.equal((await notified(bank, 2)).length, 2);
    bank.clock.advance(10_000);
    assert.equal((await notified(bank, 3)).length, 3);
    assert.equal(new Set(bank.inbox.received.map(({ raw }) => raw)).size, 1);
    assert.equal(await executions(bank), 1);
  });
});

describe('cents whose outcome is undone later', () => {
  it('.60 is executed, and reversed after three seconds with a notification', async (t) => {
    const bank = await startBankUnderTest(t);
    assert.equal((await bank.pay({ amount: '10.60' })).body['status'], 'executed');
    bank.clock.advance(2_999);
    assert.deepEqual(await present(bank), ['executed', '', false]);
    bank.clock.advance(1);
    assert.deepEqual(await present(bank), ['executed', '', true]);
    assert.deepEqual(await notified(bank, 1), ['reversed']);
    assert.equal(await executions(bank), 1);
  });

  it('.61 is declined, and executed after three seconds with a notification', async (t) => {
    const bank = await startBankUnderTest(t);
    assert.equal((await bank.pay({ amount: '10.61' })).body['status'], 'declined');
    assert.equal(await executions(bank), 0);
    bank.clock.advance(3_000);
    assert.deepEqual(await present(bank), ['executed', '', false]);
    assert.deepEqual(await notified(bank, 1), ['executed']);
    assert.equal(await executions(bank), 1);
  });
});

describe('cents whose reply misleads', () => {
  it('.50 executes and answers HTTP 500; the same reference again says executed', async (t) => {
    const bank = await startBankUnderTest(t);
    assert.deepEqual(await bank.pay({ amount: '10.50' }), { status: 500, body: { error: 'internal' } });
    assert.deepEqual(await present(bank), ['executed', '', false]);
    assert.equal((await bank.pay({ amount: '10.50' })).body['status'], 'executed');
    assert.equal(await executions(bank), 1);
  });

  it('.44 executes and never answers', async (t) => {
    const bank = await startBankUnderTest(t);
    await payAndGiveUp(bank, '10.44');
    assert.deepEqual(await present(bank), ['executed', '', false]);
    await eventually('the bank forgets a client that gave up', () => bank.clock.delays().length === 0);
  });

  it('.44 drops the connection of a patient client after a minute', async (t) => {
    const bank = await startBankUnderTest(t);
    const reply = bank.pay({ amount: '10.44' });
    const dropped = assert.rejects(reply, /fetch failed/);
    await eventually('the connection is held', () => bank.clock.delays()[0] === 60_000);
    bank.clock.advance(60_000);
    await dropped;
  });

  it('.45 never answers and never executes, however often it is sent', async (t) => {
    const bank = await startBankUnderTest(t);
    await payAndGiveUp(bank, '10.45');
    await payAndGiveUp(bank, '10.45');
    assert.deepEqual(await bank.get(path), { status: 404, body: { error: 'not_found' } });
    assert.deepEqual((await bank.get('/control/book')).body, { entries: [] });
  });

  it('.62 replies only after the gateway was told', async (t) => {
    const bank = await startBankUnderTest(t);
    const { promise, resolve } = Promise.withResolvers<{ status: number; body: string }>();
    bank.inbox.answer = () => promise;
    let isReplied = false;
    const reply = bank.pay({ amount: '10.62' }).finally(() => {
      isReplied = true;
    });
    assert.deepEqual(await notified(bank, 1), ['executed']);
    assert.equal(isReplied, false);
    resolve({ status: 200, body: 'OK' });
    assert.equal((await reply).body['status'], 'executed');
  });

  it('.62 replies even when the gateway refuses the notification', async (t) => {
    const bank = await startBankUnderTest(t);
    bank.inbox.answer = () => ({ status: 503, body: '' });
    assert.equal((await bank.pay({ amount: '10.62' })).body['status'], 'executed');
  });
});

it('the documentation has a row for every magic amount, and for no other', async () => {
  const text = await readFile(`${import.meta.dirname}/README.md`, 'utf8');
  const documented = [...text.matchAll(/^\| `\.(\d\d)` \|/gm)].map(([, cents]) => cents);
  assert.deepEqual(documented.sort(), Object.keys(magicAmounts).sort());
});

it('shortened delays are kept', async (t) => {
  const bank = await startBankUnderTest(t, { delays: { settleMs: 5 } });
  await bank.pay({ amount: '10.40' });
  bank.clock.advance(5);
  assert.deepEqual(await present(bank), ['executed', '', false]);
});

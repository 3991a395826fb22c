/** How the bank tells the gateway, over real HTTP: what is signed, when it comes again, and how it misbehaves on demand. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { ManualClock } from '../manual-clock.ts';
import { aWhile, eventually, openInbox } from '../provider-server/inbox-under-test.ts';
import { type BankUnderTest, secret, startBankUnderTest } from './bank-under-test.ts';
import { noFaults } from './faults.ts';
import { type Notification, Notifier } from './notifier.ts';

const hmacOf = (raw: string) => createHmac('sha256', secret).update(raw).digest('hex');

/** A payout that is executed two seconds later, with those seconds gone by. */
async function settle(bank: BankUnderTest): Promise<void> {
  await bank.pay({ amount: '10.40' });
  bank.clock.advance(2_000);
}

async function received(bank: BankUnderTest, count: number): Promise<BankUnderTest['inbox']['received']> {
  await eventually(`${count} notifications`, () => bank.inbox.received.length >= count);
  await aWhile();
  assert.equal(bank.inbox.received.length, count);
  return bank.inbox.received;
}

describe('a notification', () => {
  it('says what happened and when, signed over its raw body', async (t) => {
    const bank = await startBankUnderTest(t);
    await settle(bank);
    const [first] = await received(bank, 1);
    assert.deepEqual(first?.body, {
      notification_id: 'p-1.executed',
      reference: 'p-1',
      status: 'executed',
      reason: '',
      occurred_at: '2026-01-01T00:00:02.000Z',
    });
    assert.equal(first?.headers['x-stand-in-signature'], hmacOf(first?.raw ?? ''));
    assert.equal(first?.headers['content-type'], 'application/json');
  });

  it('comes again, unchanged, with growing pauses until it is accepted, and then no more', async (t) => {
    const bank = await startBankUnderTest(t);
    bank.inbox.answer = () => ({ status: 500, body: 'OK' });
    await settle(bank);
    for (const pauseMs of [500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 60_000]) {
      await eventually(`a pause of ${pauseMs} ms`, () => bank.clock.delays()[0] === pauseMs);
      bank.clock.advance(pauseMs - 1);
      assert.deepEqual(bank.clock.delays(), [1]);
      bank.clock.advance(1);
    }
    await eventually('the ninth attempt', () => bank.clock.delays()[0] === 60_000);
    bank.inbox.answer = () => ({ status: 200, body: 'OK' });
    bank.clock.advance(60_000);
    const all = await received(bank, 10);
    assert.equal(new Set(all.map(({ raw }) => raw)).size, 1);
    assert.deepEqual(bank.clock.delays(), []);
  });

  for (const answer of [
    { status: 200, body: 'no' },
    { status: 204, body: '' },
  ]) {
    it(`is not accepted by ${answer.status} with the body “${answer.body}”`, async (t) => {
      const bank = await startBankUnderTest(t);
      bank.inbox.answer = () => answer;
      await settle(bank);
      await eventually('a second attempt is due', () => bank.clock.delays()[0] === 500);
      assert.match(bank.log.join('\n'), /p-1\.executed not accepted/);
    });
  }

  it('follows no redirect', async (t) => {
    const elsewhere = await openInbox(t);
    const bank = await startBankUnderTest(t);
    bank.inbox.answer = () => ({ status: 307, body: 'OK', location: elsewhere.url });
    await settle(bank);
    await eventually('a second attempt is due', () => bank.clock.delays()[0] === 500);
    assert.equal(elsewhere.received.length, 0);
  });

  it('waits for a gateway that is away', async (t) => {
    const bank = await startBankUnderTest(t, { notifyUrl: 'http://127.0.0.1:9/rail-notifications/stand-in-bank' });
    await settle(bank);
    await eventually('a second attempt is due', () => bank.clock.delays()[0] === 500);
    assert.equal((await bank.pay({ reference: 'p-2' })).status, 200);
  });

  it('is not sent, and the payout changes all the same, when there is nobody to notify', async (t) => {
    const bank = await startBankUnderTest(t, { isLonely: true });
    await settle(bank);
    assert.equal((await bank.get('/stand-in/v1/payouts/p-1')).body['status'], 'executed');
    await received(bank, 0);
  });
});

describe('notifications on demand', () => {
  it('come twice', async (t) => {
    const bank = await startBankUnderTest(t);
    await bank.post('/control/faults', { notifications: 'twice' });
    await settle(bank);
    const [first, second] = await received(bank, 2);
    assert.equal(first?.raw, second?.raw);
  });

  it('that are off are lost, not late', async (t) => {
    const bank = await startBankUnderTest(t);
    await bank.post('/control/faults', { notifications: 'off' });
    await settle(bank);
    await bank.post('/control/faults', { notifications: 'on' });
    bank.clock.advance(600_000);
    await received(bank, 0);
    assert.equal((await bank.get('/stand-in/v1/payouts/p-1')).body['status'], 'executed');
  });

  it('carry a wrong signature, and the right one once that is over', async (t) => {
    const bank = await startBankUnderTest(t);
    await bank.post('/control/faults', { notifications: 'wrong_signature' });
    bank.inbox.answer = () => ({ status: 401, body: '' });
    await settle(bank);
    await eventually('a second attempt is due', () => bank.clock.delays()[0] === 500);
    await bank.post('/control/faults', { notifications: 'on' });
    bank.clock.advance(500);
    const [wrong, right] = await received(bank, 2);
    assert.match(String(wrong?.headers['x-stand-in-signature']), /^[0-9a-f]{64}$/);
    assert.notEqual(wrong?.headers['x-stand-in-signature'], hmacOf(wrong?.raw ?? ''));
    assert.equal(right?.headers['x-stand-in-signature'], hmacOf(right?.raw ?? ''));
  });

  it('carry a wrong amount, well signed', async (t) => {
    const bank = await startBankUnderTest(t);
    await bank.post('/control/faults', { notifications: 'wrong_amount' });
    await settle(bank);
    const [first] = await received(bank, 1);
    assert.equal(first?.body['amount'], '999999.99');
    assert.equal(first?.headers['x-stand-in-signature'], hmacOf(first?.raw ?? ''));
  });
});

describe('the queue of notifications', () => {
  const notification = (number: number): Notification => ({
    notification_id: `n-${number}`,
    reference: `p-${number}`,
    status: 'executed',
    reason: '',
    occurred_at: '2026-01-01T00:00:00.000Z',
  });

  it('keeps to its bounds: few under way, and what is beyond its length is left out and said', async (t) => {
    const inbox = await openInbox(t);
    const held: (() => void)[] = [];
    inbox.answer = () => new Promise((resolve) => held.push(() => resolve({ status: 200, body: 'OK' })));
    const log: string[] = [];
    const accepted: string[] = [];
    const notifier = new Notifier({
      url: inbox.url,
      secret,
      clock: new ManualClock(),
      faults: noFaults,
      log: (line) => log.push(line),
      onAccepted: (told) => accepted.push(told.notification_id),
      limits: { underWay: 2, waiting: 5 },
    });
    t.after(() => notifier.stop());
    for (let number = 1; number <= 6; number += 1) void notifier.send(notification(number));
    await eventually('two are under way', () => held.length === 2);
    await aWhile();
    assert.equal(inbox.received.length, 2);
    assert.deepEqual(log.length, 1);
    assert.match(log[0] ?? '', /n-6 is not sent/);
    await eventually('all five are accepted', () => {
      held.shift()?.();
      return accepted.length === 5;
    });
    assert.deepEqual(accepted.sort(), ['n-1', 'n-2', 'n-3', 'n-4', 'n-5']);
  });

  it('starts afresh after a stop, even when all its places were taken', { timeout: 5_000 }, async (t) => {
    const inbox = await openInbox(t);
    inbox.answer = () => new Promise(() => undefined);
    const accepted: string[] = [];
    const notifier = new Notifier({
      url: inbox.url,
      secret,
      clock: new ManualClock(),
      faults: noFaults,
      log: () => undefined,
      onAccepted: (told) => accepted.push(told.notification_id),
      limits: { underWay: 1, waiting: 2 },
    });
    t.after(() => notifier.stop());
    const beforeStop = [notifier.send(notification(1)), notifier.send(notification(2))];
    await eventually('one is under way', () => inbox.received.length === 1);
    notifier.stop();
    inbox.answer = () => ({ status: 200, body: 'OK' });
    await Promise.all([...beforeStop, notifier.send(notification(3))]);
    await eventually('the new one is accepted', () => accepted.length === 1);
    assert.deepEqual(accepted, ['n-3']);
  });
});

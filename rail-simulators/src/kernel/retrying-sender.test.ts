/** The sender that retries until acceptance, and its queue. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { ManualClock } from '../manual-clock.ts';
import { aWhile, eventually, type Inbox, openInbox } from './inbox-under-test.ts';
import { jsonLetter, post, RetryingSender, type SenderLimits } from './retrying-sender.ts';

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
  it('the sender limits messages in flight, and drops and logs messages beyond its queue length', async (t) => {
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

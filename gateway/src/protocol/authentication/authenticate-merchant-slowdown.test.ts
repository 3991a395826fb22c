import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from '../../foundation/clock.ts';
import { createSignatureSlowdown, SLOWDOWN_LIMITS } from './authenticate-merchant.ts';

const LIMITS = { ...SLOWDOWN_LIMITS, free: 2, tableSize: 3, waitingInAll: 4, waitingPerClient: 2 };

describe('the slow-down of wrong signatures', () => {
  /**
   * The delay of the next wrong response, measured by moving the clock. Undefined if the response is an immediate rejection.
   */
  async function nextDelay(
    slowdown: ReturnType<typeof createSignatureSlowdown>,
    clock: ReturnType<typeof createManualClock>,
  ) {
    let done: number | undefined;
    void slowdown.wrongSignature('M1', '1.1.1.1').then((retry) => {
      done = retry;
    });
    for (let waited = 0; waited <= 10_000; waited += 100) {
      await new Promise(setImmediate);
      if (done !== undefined) return waited;
      clock.advance(100);
    }
    throw new Error('it never ended');
  }

  it('the signature slow-down doubles after the free attempts, up to the longest delay', async () => {
    const clock = createManualClock(0);
    const slowdown = createSignatureSlowdown(clock, LIMITS);
    const delays = [];
    for (let at = 0; at < 10; at += 1) delays.push(await nextDelay(slowdown, clock));
    assert.deepEqual(delays, [0, 0, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
  });

  it('the slow-down resets after a quiet period and after a correct signature', async () => {
    const clock = createManualClock(0);
    const slowdown = createSignatureSlowdown(clock, LIMITS);
    for (let at = 0; at < 3; at += 1) await nextDelay(slowdown, clock);
    clock.advance(LIMITS.forgetAfterMs);
    assert.equal(await nextDelay(slowdown, clock), 0);
    await nextDelay(slowdown, clock);
    await nextDelay(slowdown, clock);
    slowdown.rightSignature('M1', '1.1.1.1');
    assert.equal(await nextDelay(slowdown, clock), 0);
  });

  it('the slow-down delays a bounded number of responses and rejects more requests immediately', async () => {
    const clock = createManualClock(0);
    const slowdown = createSignatureSlowdown(clock, LIMITS);
    const wrong = (merchant: string) => slowdown.wrongSignature(merchant, '1.1.1.1');
    await wrong('M1');
    await wrong('M1');
    const waiting = [wrong('M1'), wrong('M1')];
    assert.equal(await wrong('M1'), LIMITS.longestDelayMs, 'two of this client wait');
    await wrong('M2');
    await wrong('M2');
    waiting.push(wrong('M2'), wrong('M2'));
    await wrong('M3');
    await wrong('M3');
    assert.equal(await wrong('M3'), LIMITS.longestDelayMs, 'four wait in all');
    clock.advance(10_000);
    assert.deepEqual(await Promise.all(waiting), [0, 0, 0, 0]);
  });

  it('the slow-down drops the oldest entry when its table is full', async () => {
    const clock = createManualClock(0);
    const slowdown = createSignatureSlowdown(clock, { ...LIMITS, free: 1 });
    for (const address of ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'])
      assert.equal(await slowdown.wrongSignature('M1', address), 0);
    assert.equal(await slowdown.wrongSignature('M1', '10.0.0.1'), 0, 'forgotten');
    let answered = false;
    void slowdown.wrongSignature('M1', '10.0.0.4').then(() => {
      answered = true;
    });
    await new Promise(setImmediate);
    assert.equal(answered, false, 'still known');
  });
});

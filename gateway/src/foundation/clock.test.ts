import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock, formatUtc, systemClock } from './clock.ts';

describe('the manual clock', () => {
  it('wakes sleepers in the order in which their time comes, and nobody early', async () => {
    const clock = createManualClock(0);
    const woken: string[] = [];
    const late = clock.sleep(20).then(() => woken.push('late'));
    const early = clock.sleep(10).then(() => woken.push('early'));
    clock.advance(9);
    await Promise.resolve();
    assert.deepEqual(woken, []);
    clock.advance(11);
    await Promise.all([late, early]);
    assert.deepEqual(woken, ['early', 'late']);
    assert.equal(clock.now(), 20);
  });

  it('lets a sleeper go whose wait was called off', async () => {
    const clock = createManualClock(0);
    const calling = new AbortController();
    const slept = clock.sleep(1_000, calling.signal);
    calling.abort();
    await slept;
    assert.equal(clock.now(), 0);
  });
});

describe('the system clock', () => {
  it('ends a sleep when it is called off, before or while sleeping', async () => {
    const calling = new AbortController();
    const slept = systemClock.sleep(60_000, calling.signal);
    calling.abort();
    await slept;
    await systemClock.sleep(60_000, calling.signal);
  });
});

describe('times on the wire', () => {
  it('are UTC to the second', () => {
    assert.equal(formatUtc(Date.UTC(2026, 10, 20, 10, 5, 0, 999)), '2026-11-20 10:05:00');
  });
});

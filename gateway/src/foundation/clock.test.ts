import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock, formatUtc, systemClock } from './clock.ts';

describe('the manual clock', () => {
  it('the manual clock wakes sleepers in the order of their due times, never early', async () => {
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

  it('a sleep on the manual clock ends as soon as its signal aborts', async () => {
    const clock = createManualClock(0);
    const calling = new AbortController();
    const slept = clock.sleep(1_000, calling.signal);
    calling.abort();
    await slept;
    assert.equal(clock.now(), 0);
  });
});

describe('the system clock', () => {
  it('a sleep on the system clock ends when its signal aborts, before or during the sleep', async () => {
    const calling = new AbortController();
    const slept = systemClock.sleep(60_000, calling.signal);
    calling.abort();
    await slept;
    await systemClock.sleep(60_000, calling.signal);
  });
});

describe('times on the wire', () => {
  it('formatUtc prints UTC to the second', () => {
    assert.equal(formatUtc(Date.UTC(2026, 10, 20, 10, 5, 0, 999)), '2026-11-20 10:05:00');
  });
});

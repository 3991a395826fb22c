import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createManualClock } from '../../foundation/clock.ts';
import { createRateLimiter } from './rate-limit.ts';

describe('the rate limiter', () => {
  it('the rate limiter returns the time until the next request is allowed', () => {
    const clock = createManualClock(0);
    const limiter = createRateLimiter(clock);
    assert.deepEqual(
      [1, 2, 3, 4, 5].map(() => limiter.take('M1', 4)),
      [0, 0, 0, 0, 250],
    );
    clock.advance(249);
    assert.equal(limiter.take('M1', 4), 1);
    clock.advance(1);
    assert.equal(limiter.take('M1', 4), 0);
  });

  it('the rate limiter does not grant anything when the clock is set back', () => {
    let now = 10_000;
    const limiter = createRateLimiter({ now: () => now, sleep: async () => {} });
    assert.equal(limiter.take('M1', 1), 0);
    now = 0;
    assert.ok(limiter.take('M1', 1) > 0);
    now = 1_000;
    assert.equal(limiter.take('M1', 1), 0);
  });

  it('the rate limiter never grants more than one second’s worth plus the elapsed time', () => {
    const steps = fc.array(fc.nat(700), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), steps, (perSecond, waits) => {
        const clock = createManualClock(0);
        const limiter = createRateLimiter(clock);
        let granted = 0;
        for (const wait of waits) {
          clock.advance(wait);
          if (limiter.take('M1', perSecond) === 0) granted += 1;
          assert.ok(granted <= perSecond + (clock.now() * perSecond) / 1_000 + 1e-6);
        }
      }),
    );
  });
});

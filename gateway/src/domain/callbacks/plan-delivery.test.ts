import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import { afterAttempt, type Breaker, isOpen } from './plan-delivery.ts';

const CLOSED: Breaker = { failures: 0, pausedUntil: null };
const NOW = 1_000_000;
const fail = (breaker: Breaker, wasProbe = isOpen(breaker)) => afterAttempt(breaker, 'timed_out', wasProbe, NOW);
const times = (count: number) => Array.from({ length: count }).reduce<Breaker>((breaker) => fail(breaker), CLOSED);

test('the delivery breaker opens at the fifth consecutive failure and pauses the lane', () => {
  assert.equal(isOpen(times(4)), false);
  assert.equal(times(4).pausedUntil, null);
  assert.deepEqual(times(5), { failures: 5, pausedUntil: NOW + 30 * SECOND_MS });
});

test('each failed probe of the delivery breaker doubles the pause, up to ten minutes', () => {
  assert.equal(times(6).pausedUntil, NOW + MINUTE_MS);
  assert.equal(times(9).pausedUntil, NOW + 8 * MINUTE_MS);
  assert.equal(times(10).pausedUntil, NOW + 10 * MINUTE_MS);
  assert.equal(times(5_000).pausedUntil, NOW + 10 * MINUTE_MS);
});

test('failures of attempts that were in flight when the delivery breaker opened do not lengthen the pause', () => {
  assert.deepEqual(fail(times(5), false), times(5));
});

test('the first success closes the delivery breaker', () => {
  assert.deepEqual(afterAttempt(times(9), 'accepted', true, NOW), CLOSED);
});

test('a missing callback URL is not treated as a failure of the merchant’s server', () => {
  assert.deepEqual(afterAttempt(times(4), 'no_address', false, NOW), times(4));
});

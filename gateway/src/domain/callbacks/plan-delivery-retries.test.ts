import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { Random } from '../../foundation/random.ts';
import { nextAttemptAt } from './plan-delivery.ts';

const FIRST = Date.UTC(2026, 10, 20, 10);
const random = (fraction: number): Random => ({ bytes: Buffer.alloc, uuid: () => '', fraction: () => fraction });
const MINUTES = [1, 2, 5, 10, 30, 60, 120, 180, 360, 720, 1440, 2880, 4320];

test('callback retries without jitter follow the documented offsets from the first attempt, then end', () => {
  let now = FIRST;
  const offsets: number[] = [];
  for (let attempts = 1; ; attempts++) {
    const next = nextAttemptAt(attempts, FIRST, now, null, random(0));
    if (next === null) break;
    offsets.push((next - FIRST) / MINUTE_MS);
    now = next;
  }
  assert.deepEqual(offsets, MINUTES);
});

test('jitter delays a callback retry by less than a tenth of the step, and never advances it', () => {
  assert.equal(nextAttemptAt(6, FIRST, FIRST + 30 * MINUTE_MS, null, random(0.999)), FIRST + HOUR_MS + 179_820);
});

test('a callback attempt that timed out does not shift the next attempt', () => {
  assert.equal(nextAttemptAt(1, FIRST, FIRST + 15 * SECOND_MS, null, random(0)), FIRST + MINUTE_MS);
});

test('attempts of a missed callback schedule are spread out, not sent in one burst', () => {
  const late = FIRST + 50 * HOUR_MS;
  assert.equal(nextAttemptAt(2, FIRST, late, null, random(0)), late + 30 * SECOND_MS);
});

test('Retry-After delays a callback attempt by at most an hour, and never advances it', () => {
  const next = (retryAfterMs: number) => nextAttemptAt(1, FIRST, FIRST, retryAfterMs, random(0));
  assert.equal(next(10 * SECOND_MS), FIRST + MINUTE_MS);
  assert.equal(next(10 * MINUTE_MS), FIRST + 10 * MINUTE_MS);
  assert.equal(next(10 * 24 * HOUR_MS), FIRST + HOUR_MS);
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createManualClock, MINUTE_MS, SECOND_MS } from '../foundation/clock.ts';
import { createRailBreaker } from './rail-breaker.ts';

function breaking() {
  const clock = createManualClock(0);
  let closings = 0;
  const breaker = createRailBreaker(clock, () => {
    closings += 1;
  });
  const fail = (...payouts: string[]) => {
    for (const payout of payouts) breaker.failed(payout);
  };
  return { clock, breaker, fail, closings: () => closings };
}

const FIVE = ['a', 'b', 'c', 'd', 'e'] as const;

it('opens once five payouts failed one after the other, and for longer each time it is tried in vain', () => {
  const { clock, breaker, fail } = breaking();
  fail('a', 'b', 'c', 'd');
  assert.equal(breaker.state, 'closed');
  fail('e');
  for (const pauseMs of [1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * SECOND_MS)) {
    clock.advance(pauseMs - 1);
    assert.equal(breaker.state, 'open');
    clock.advance(1);
    assert.equal(breaker.state, 'half_open');
    fail('a');
  }
});

it('counts one payout once, however often it fails', () => {
  const { breaker, fail } = breaking();
  fail('a', 'a', 'a', 'a', 'a', 'a', 'b', 'c', 'd');
  assert.equal(breaker.state, 'closed');
});

it('counts no failure of long ago', () => {
  const { clock, breaker, fail } = breaking();
  for (const payout of [...FIVE, ...FIVE]) {
    fail(payout);
    clock.advance(2 * MINUTE_MS);
  }
  assert.equal(breaker.state, 'closed');
});

it('closes with the first answer, and begins to count anew', () => {
  const { clock, breaker, fail } = breaking();
  fail(...FIVE);
  clock.advance(SECOND_MS);
  breaker.answered();
  fail('a', 'b', 'c', 'd');
  assert.equal(breaker.state, 'closed');
  fail('e');
  clock.advance(SECOND_MS);
  assert.equal(breaker.state, 'half_open', 'its first pause again');
});

it('tells that it closed, once, and nothing of an answer while it was', () => {
  const { clock, breaker, fail, closings } = breaking();
  breaker.answered();
  fail(...FIVE);
  clock.advance(SECOND_MS);
  assert.equal(closings(), 0);
  breaker.answered();
  breaker.answered();
  assert.equal(closings(), 1);
});

it('lets one at a time through while it tries, and none while it is open', () => {
  const { clock, breaker, fail } = breaking();
  assert.equal(breaker.allowance(7, 3), 7);
  fail(...FIVE);
  assert.equal(breaker.allowance(7, 0), 0);
  clock.advance(SECOND_MS);
  assert.deepEqual([breaker.allowance(7, 0), breaker.allowance(7, 1)], [1, 0]);
});

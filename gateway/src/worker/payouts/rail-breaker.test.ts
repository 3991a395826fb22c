import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createManualClock, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import { createRailBreaker } from './rail-breaker.ts';

function breaking() {
  const clock = createManualClock(0);
  const changes: string[] = [];
  const breaker = createRailBreaker(clock, {
    onOpened: () => changes.push('opened'),
    onClosed: () => changes.push('closed'),
  });
  const fail = (...payouts: string[]) => {
    for (const payout of payouts) breaker.failed(payout);
  };
  return { clock, breaker, fail, changes };
}

const FIVE = ['a', 'b', 'c', 'd', 'e'] as const;

it('a rail breaker opens after five payouts in a row fail, and opens longer after each failed probe', () => {
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

it('a rail breaker counts a payout once, even if it fails repeatedly', () => {
  const { breaker, fail } = breaking();
  fail('a', 'a', 'a', 'a', 'a', 'a', 'b', 'c', 'd');
  assert.equal(breaker.state, 'closed');
});

it('a rail breaker ignores failures older than five minutes', () => {
  const { clock, breaker, fail } = breaking();
  for (const payout of [...FIVE, ...FIVE]) {
    fail(payout);
    clock.advance(2 * MINUTE_MS);
  }
  assert.equal(breaker.state, 'closed');
});

it('a rail breaker no longer counts a failure that is exactly five minutes old', () => {
  for (const [ageMs, state] of [
    [5 * MINUTE_MS - 1, 'open'],
    [5 * MINUTE_MS, 'closed'],
  ] as const) {
    const { clock, breaker, fail } = breaking();
    fail('a');
    clock.advance(ageMs);
    fail('b', 'c', 'd', 'e');
    assert.equal(breaker.state, state);
  }
});

it('a rail breaker closes at the first response and counts failures from zero', () => {
  const { clock, breaker, fail } = breaking();
  fail(...FIVE);
  clock.advance(SECOND_MS);
  breaker.answered();
  fail('a', 'b', 'c', 'd');
  assert.equal(breaker.state, 'closed');
  fail('e');
  clock.advance(SECOND_MS);
  assert.equal(breaker.state, 'half_open', 'the first pause is short again');
});

it('a rail breaker reports its opening and its closing once each, even if many probes fail in between', () => {
  const { clock, breaker, fail, changes } = breaking();
  breaker.answered();
  fail('a', 'b', 'c', 'd');
  assert.deepEqual(changes, []);
  fail('e', 'f');
  assert.deepEqual(changes, ['opened']);
  for (let trial = 0; trial < 3; trial++) {
    clock.advance(MINUTE_MS);
    fail('a');
  }
  clock.advance(MINUTE_MS);
  breaker.answered();
  breaker.answered();
  assert.deepEqual(changes, ['opened', 'closed']);
  fail(...FIVE);
  assert.deepEqual(changes, ['opened', 'closed', 'opened']);
});

it('a rail breaker admits one payout at a time while half open, and no payout while open', () => {
  const { clock, breaker, fail } = breaking();
  assert.equal(breaker.allowance(7, 3), 7);
  fail(...FIVE);
  assert.equal(breaker.allowance(7, 0), 0);
  clock.advance(SECOND_MS);
  assert.deepEqual([breaker.allowance(7, 0), breaker.allowance(7, 1)], [1, 0]);
});

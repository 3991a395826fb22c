import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CALLBACK_WAITS } from '../../../contract/texts/callback-waits.ts';
import { dueCallback } from '../../../test/support/payouts/due-callback.ts';
import { MINUTE_MS } from '../../foundation/clock.ts';
import type { Callback, CallbackAttempt } from './callback.ts';
import type { LaneState } from './callback-store.ts';
import { type CallbackExplanation, explainCallback } from './explain-callback.ts';

const NOW = Date.UTC(2026, 10, 20, 10);
const IDLE: LaneState = { leaseUntil: null, breaker: { failures: 0, pausedUntil: null } };

const fresh = dueCallback({ callbackId: 'payout_1', createdAt: NOW - 1 });
const tried: Callback = { ...fresh, attempts: 2, firstAttemptAt: NOW - MINUTE_MS, dueAt: NOW + MINUTE_MS };
const hung: CallbackAttempt = {
  attempt: 2,
  startedAt: NOW,
  latencyMs: 15_000,
  httpStatus: null,
  outcome: 'timed_out',
  reply: '',
};

function textsOf(why: CallbackExplanation | undefined) {
  assert(why);
  return CALLBACK_WAITS[why.reason](why.facts);
}

const explain = (callback: Callback, lane: LaneState | null = IDLE, attempts: CallbackAttempt[] = []) =>
  explainCallback({ callback, lane, attempts }, NOW);

test('a callback without an attempt is explained as waiting for its first attempt', () => {
  const why = explain(fresh);
  assert.deepEqual([why?.reason, why?.since, why?.nextAt, why?.note], ['first_attempt', NOW - 1, NOW - 1, '']);
});

test('a due callback in a leased lane is explained as in flight, until the lease expires', () => {
  const why = explain(fresh, { ...IDLE, leaseUntil: NOW + MINUTE_MS });
  assert.deepEqual([why?.reason, why?.nextAt], ['in_flight', NOW + MINUTE_MS]);
});

test('a callback after a failed attempt is explained with the next attempt and the last failure', () => {
  const why = explain(tried, { ...IDLE, leaseUntil: NOW + MINUTE_MS }, [hung]);
  assert(why);
  assert.deepEqual(
    [why.reason, textsOf(why).waitsFor, why.nextAt],
    ['next_attempt', 'attempt 3 of 14', NOW + MINUTE_MS],
  );
  assert.match(why.note, /got no complete response within 15 seconds/);
});

test('a resend restarts the count of attempts in the explanation', () => {
  const why = explain({ ...fresh, attempts: 14, scheduleStart: 14 }, IDLE, [hung]);
  assert.equal(why?.reason, 'first_attempt');
});

test('a callback behind an open breaker is explained as paused, unless its own due time is later', () => {
  const lane: LaneState = { leaseUntil: null, breaker: { failures: 7, pausedUntil: NOW + 2 * MINUTE_MS } };
  assert.deepEqual(
    [explain(fresh, lane)?.reason, explain(fresh, lane)?.nextAt],
    ['server_failing', NOW + 2 * MINUTE_MS],
  );
  assert.match(textsOf(explain(fresh, lane)).waitsFor, /failed 7 times in a row/);
  assert.equal(explain({ ...tried, dueAt: NOW + 3 * MINUTE_MS }, lane)?.reason, 'next_attempt');
});

test('an undelivered callback waits for a user, and a delivered or unwanted callback does not wait', () => {
  const ended = { ...tried, dueAt: null, finishedAt: NOW };
  const why = explain({ ...ended, state: 'undelivered' }, IDLE, [hung]);
  assert.deepEqual([why?.reason, why?.since, why?.nextAt], ['undelivered', NOW, null]);
  assert.equal(explain({ ...ended, state: 'delivered' }), undefined);
  assert.equal(explain({ ...ended, state: 'not_wanted' }), undefined);
});

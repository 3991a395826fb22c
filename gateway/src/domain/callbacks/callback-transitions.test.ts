import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createSeededRandom } from '../../foundation/random.ts';
import { CALLBACK_STATES, type Callback, type DeliveryOutcome } from './callback.ts';
import { CALLBACK_TRANSITIONS, type CallbackEvent, firstState, statesBefore } from './callback-transitions.ts';
import { planDelivery, RETRY_OFFSETS_MS } from './plan-delivery.ts';
import { resendCallback } from './resend-callback.ts';

const NOW = Date.UTC(2026, 10, 20, 10);
const DUE: Callback = {
  merchantId: 'M1',
  callbackId: 'c',
  subject: 'payout',
  subjectId: 'P1',
  payload: {},
  state: 'due',
  createdAt: NOW,
  attempts: 0,
  scheduleStart: 0,
  firstAttemptAt: null,
  dueAt: NOW,
  finishedAt: null,
};

const FAILURES: Readonly<Record<Exclude<DeliveryOutcome, 'accepted' | 'no_address'>, true>> = {
  refused_status: true,
  refused_body: true,
  redirected: true,
  timed_out: true,
  unreachable: true,
  forbidden_address: true,
};

function stateAfter(outcome: DeliveryOutcome, attempts: number) {
  const report = { outcome, httpStatus: null, latencyMs: 1, reply: '', retryAfterMs: null };
  return planDelivery({ ...DUE, attempts }, report, { at: NOW, random: createSeededRandom('1') }).next.state;
}

it('a callback attempt results in delivered, due or undelivered, depending on its outcome and the remaining retries', () => {
  for (const attempts of RETRY_OFFSETS_MS.keys()) {
    const isLast = attempts === RETRY_OFFSETS_MS.length - 1;
    assert.equal(stateAfter('accepted', attempts), 'delivered', `${attempts}`);
    assert.equal(stateAfter('no_address', attempts), 'undelivered', `${attempts}`);
    for (const outcome of Object.keys(FAILURES) as (keyof typeof FAILURES)[])
      assert.equal(stateAfter(outcome, attempts), isLast ? 'undelivered' : 'due', `${outcome} ${attempts}`);
  }
});

it('a new callback is due, or not wanted if the merchant disabled it', () => {
  assert.deepEqual([firstState(true), firstState(false)], ['due', 'not_wanted']);
});

it('a user can resend a callback in every state, unless the merchant disabled it', async () => {
  for (const before of CALLBACK_STATES) {
    const answer = await resendCallback(
      {
        callbacks: { resend: async () => before, resendUndelivered: async () => 0 },
        merchants: { find: async () => ({}) as never },
        clock: { now: () => NOW, sleep: async () => {} },
        onDue: () => {},
      },
      DUE,
    );
    assert.equal(answer.ok, statesBefore('resent').includes(before), before);
    assert.equal(answer.ok, before !== 'not_wanted', before);
  }
});

it('an attempt leaves only the state due, and only a user can make a final callback due again', () => {
  const ofAttempts: readonly CallbackEvent[] = ['accepted', 'no_address', 'failed', 'exhausted'];
  for (const event of ofAttempts) assert.deepEqual(statesBefore(event), ['due'], event);
  assert.deepEqual(statesBefore('resent_in_bulk'), ['undelivered']);
  for (const state of ['delivered', 'undelivered', 'not_wanted'] as const)
    for (const event of Object.keys(CALLBACK_TRANSITIONS[state])) assert.match(event, /^resent/, `${state} ${event}`);
});

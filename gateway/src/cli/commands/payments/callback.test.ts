import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runOver as run } from '../../../../test/support/gateway/run-over.ts';
import { fail } from '../../../foundation/result.ts';

const AT = Date.UTC(2026, 10, 20, 10, 0, 0);

test('callback resend fails for an unknown merchant instead of finding no callbacks', async () => {
  const nobody = async () => fail('merchant_not_found' as const);
  for (const words of ['callback resend NOBODY --undelivered', 'callback resend NOBODY c1']) {
    const { stderr, exitCode } = await run(words, { callbacks: { resend: nobody, resendUndelivered: nobody } });
    assert.deepEqual(
      [stderr, exitCode],
      ['No merchant has this id. "gateway merchant list" lists all merchants.\n', 1],
    );
  }
});

test('the response of a merchant’s server can neither break the table that callback list prints nor move the cursor', async () => {
  const callback = {
    merchantId: 'M1',
    callbackId: 'payout_1',
    subject: 'payout' as const,
    subjectId: 'A17',
    payload: { status: 'Completed' },
    state: 'due' as const,
    createdAt: AT,
    attempts: 1,
    scheduleStart: 0,
    firstAttemptAt: AT,
    dueAt: AT,
    finishedAt: null,
  };
  const reply = 'no\n\u001b[2Jthanks\u202e';
  const attempts = [
    { attempt: 1, startedAt: AT, latencyMs: 12, httpStatus: 200, outcome: 'refused_body' as const, reply },
  ];
  const find = async () => ({ callback, attempts, lane: null, explanation: undefined });
  const { stdout } = await run('callback show M1 payout_1', { callbacks: { find } });
  assert.match(stdout, /refused_body {2}no \[2Jthanks$/m);
});

/**
 * Payouts in manats through Epoint, end to end, to a registered card. Epoint pays whenever it receives a request, and has no
 * response that proves that a payout never arrived. A lost payout therefore stays unknown, and the gateway never sends it
 * again.
 */
import assert from 'node:assert/strict';
import { appendFile, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Secret } from '../../src/foundation/secret.ts';
import { cardHash } from '../../src/rails/epoint/registered-cards.ts';
import { assertPending, recordOf, untilAttempted } from '../support/payouts/payout-ends.ts';
import { MASTERCARD, VISA_CARD } from '../support/payouts/payout-request.ts';
import { describePayouts, ends, isReversed, never, waitsForCredential } from '../support/rails/payout-stories.ts';

const WRONG_KEY = 'wrong';

const EPOINT = {
  rail: 'epoint',
  methods: { 11: {}, 17: {} },
  delays: { notifyMs: 20, settleMs: 400, returnMs: 4_000, lateMs: 700, holdMs: 30_000 },
} as const;

describePayouts('a payout in manats', EPOINT, {
  'is executed immediately': ends('Success 0', {}),
  'is blocked when an answer with HTTP 200 declines it': ends('Blocked 51', { payouts: 'fail' }),
  'is pending first and executed later': ends('Success 0', { payouts: 'pay_later' }),
  'is pending first and declined later': ends('Blocked 51', { payouts: 'fail_later' }),
  'gets its outcome from a status query when its execution was not answered': ends('Success 0', {
    payouts: 'pay_unanswered',
  }),
  'gets its outcome from a status query when its execution was answered with 500': ends('Success 0', {
    payouts: 'pay_500',
  }),
  'is sent again once the provider provably never received it': never('Epoint has no response that proves it'),
  'succeeds when the notification arrives before the answer': ends('Success 0', {
    payouts: 'pay_notified_first',
    callbacks: 'on',
  }),
  'ends once when the provider notifies twice': ends('Success 0', { callbacks: 'twice' }, { logged: 'known' }),
  'ends correctly when the provider notifies late': ends('Success 0', { callbacks: 'late' }, { logged: 'known' }),
  'ignores a forged notification': ends(
    'Blocked 51',
    { callbacks: 'forged', payouts: 'fail_later' },
    { logged: 'unauthentic' },
  ),
  'is reversed after it succeeded': isReversed({ payouts: 'return_later', callbacks: 'on' }),
  'waits with an alert while the provider refuses our credential': async (trials, methods) => {
    // The file finds a card by its hash under our key. Without an entry under the wrong key, no request would reach
    // Epoint.
    const cardsFile = trials.variables['EPOINT_CARDS_FILE'] ?? '';
    const [, cardId] = (await readFile(cardsFile, 'utf8')).trim().split(' ');
    await appendFile(cardsFile, `${cardHash(VISA_CARD, new Secret(WRONG_KEY))} ${cardId}\n`);
    await waitsForCredential({ EPOINT_PRIVATE_KEY: WRONG_KEY })(trials, methods);
  },

  'is pending first and blocked by a failure notification': ends('Blocked 51', {
    payouts: 'fail_later',
    callbacks: 'on',
    status: 'server_error',
  }),
  'gets its outcome from a status query when its answer denies the execution': ends('Success 0', {
    payouts: 'pay_and_answer_error',
  }),

  'is blocked without a request to Epoint when its card is not registered': async (trials, methods) => {
    const { payouts } = await trials.control('summary');
    await ends('Blocked 52', {}, { change: { account: MASTERCARD } })(trials, methods);
    assert.equal((await trials.control('summary'))['payouts'], payouts);
  },

  // The last scenario: after it, the breaker delays queries to the rail.
  'stays unknown when it never arrives': async ({ faults, beginAll, executionsOf }, methods) => {
    await faults({ payouts: 'lose' });
    const lost = await beginAll(methods);
    for (const trial of lost) await untilAttempted(trial, 'unknown');
    await faults({});
    // Several times the period after which another rail's "not found" is proof.
    await sleep(2_000);
    for (const trial of lost) {
      await assertPending(trial);
      assert.deepEqual([(await recordOf(trial)).attempts.length, await executionsOf(trial)], [1, 0]);
    }
  },
});

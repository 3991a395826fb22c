/**
 * Payouts in manats through Epoint, end to end, to a card that is registered there. Epoint pays as often as it is asked, and has no
 * answer that proves that a payout never came: one that is lost on its way stays unknown, and is never sent again.
 */
import assert from 'node:assert/strict';
import { appendFile, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Secret } from '../../src/foundation/secret.ts';
import { cardHash } from '../../src/rails/epoint/registered-cards.ts';
import { assertPending, recordOf, untilAttempted } from '../support/payout-ends.ts';
import { MASTERCARD, VISA_CARD } from '../support/payout-request.ts';
import { describePayouts, ends, isReversed, never, waitsForCredential } from '../support/payout-stories.ts';

const WRONG_KEY = 'wrong';

const EPOINT = {
  rail: 'epoint',
  methods: { 11: {}, 17: {} },
  delays: { tellMs: 20, settleMs: 400, returnMs: 4_000, lateMs: 700, holdMs: 30_000 },
} as const;

describePayouts('a payout in manats', EPOINT, {
  'is executed at once': ends('Success 0', {}),
  'is declined by an answer that looks like success': ends('Blocked 51', { payouts: 'fail' }),
  'is pending, then executed': ends('Success 0', { payouts: 'pay_later' }),
  'is pending, then declined': ends('Blocked 51', { payouts: 'fail_later' }),
  'is executed and never answered, and found by asking': ends('Success 0', { payouts: 'pay_unanswered' }),
  'is executed behind a 500, and found by asking': ends('Success 0', { payouts: 'pay_500' }),
  'never arrives, and is sent again once that is proved': never('Epoint has no answer that proves it'),
  'is told of before it is answered': ends('Success 0', { payouts: 'pay_told_first', callbacks: 'on' }),
  'is told of twice': ends('Success 0', { callbacks: 'twice' }, { logged: 'known' }),
  'is told of late': ends('Success 0', { callbacks: 'late' }, { logged: 'known' }),
  'is told of by somebody else': ends(
    'Blocked 51',
    { callbacks: 'forged', payouts: 'fail_later' },
    { logged: 'unauthentic' },
  ),
  'comes back after it succeeded': isReversed({ payouts: 'return_later', callbacks: 'on' }),
  'waits, with an alert, while our credential is refused': async (trials, methods) => {
    // A card is known by its hash under our key: under a wrong one nothing would come as far as Epoint.
    const cardsFile = trials.variables['EPOINT_CARDS_FILE'] ?? '';
    const [, cardId] = (await readFile(cardsFile, 'utf8')).trim().split(' ');
    await appendFile(cardsFile, `${cardHash(VISA_CARD, new Secret(WRONG_KEY))} ${cardId}\n`);
    await waitsForCredential({ EPOINT_PRIVATE_KEY: WRONG_KEY })(trials, methods);
  },

  'is pending, then told to have failed': ends('Blocked 51', {
    ...{ payouts: 'fail_later', callbacks: 'on' },
    status: 'server_error',
  }),
  'is executed and denied by its answer, and found by asking': ends('Success 0', { payouts: 'pay_and_say_no' }),

  'goes to a card that nobody registered, and Epoint hears nothing of it': async (trials, methods) => {
    const { payouts } = await trials.control('summary');
    await ends('Blocked 52', {}, { change: { account: MASTERCARD } })(trials, methods);
    assert.equal((await trials.control('summary'))['payouts'], payouts);
  },

  // The last one: a rail that has nothing to say about payouts is tried less and less often.
  'never arrives, and stays unknown': async ({ faults, beginAll, executionsOf }, methods) => {
    await faults({ payouts: 'lose' });
    const lost = await beginAll(methods);
    for (const trial of lost) await untilAttempted(trial, 'unknown');
    await faults({});
    // Several times what another rail takes for proof.
    await sleep(2_000);
    for (const trial of lost) {
      await assertPending(trial);
      assert.deepEqual([(await recordOf(trial)).attempts.length, await executionsOf(trial)], [1, 0]);
    }
  },
});

/**
 * Payouts by e-Transfer through VoPay, end to end. No e-Transfer is executed immediately, because it waits for its recipient.
 * As in VoPay's sandbox, the cents of an amount decide the outcome.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BookEntry } from '../../../rail-simulators/src/vopay/book.ts';
import { assertPending, type Trial } from '../support/payouts/payout-ends.ts';
import {
  describePayouts,
  ends,
  isReversed,
  never,
  waits,
  waitsForCredential,
} from '../support/rails/payout-stories.ts';
import type { Trials } from '../support/rails/payout-trial.ts';
import { readBook } from '../support/rails/simulator-control.ts';
import { until } from '../support/tools/until.ts';

const amount = (text: string) => ({ amount: text });
const WAITS_FOR_RECIPIENT = amount('10.55');

/** Returns the message to the recipient. */
function messageOf({ control }: Trials, { merchant, payoutId }: Trial): Promise<BookEntry> {
  return until('the recipient has a message', async () => {
    const entries = await readBook<BookEntry>(control);
    return entries.find(({ kind, notes }) => kind === 'sent' && notes === `${merchant.id}/${payoutId}`);
  });
}

const VOPAY = {
  rail: 'vopay',
  methods: { 92: {} },
  delays: { sendMs: 50, settleMs: 300, returnMs: 4_000, lateMs: 400, holdMs: 30_000 },
} as const;

describePayouts('a payout by e-transfer', VOPAY, {
  'is executed immediately': never('an e-transfer waits for its recipient'),
  'is blocked when an answer with HTTP 200 declines it': ends('Blocked 52', { payouts: 'refuse' }),
  'is pending first and executed later': ends('Success 0', {}),
  'is pending first and declined later': ends('Blocked 52', {}, { change: amount('10.15') }),
  'gets its outcome from a status query when its execution was not answered': ends('Success 0', {
    payouts: 'accept_unanswered',
    notifications: 'off',
  }),
  'gets its outcome from a status query when its execution was answered with 500': ends('Success 0', {
    payouts: 'accept_500',
    notifications: 'off',
  }),
  'is sent again once the provider provably never received it': waits('not_accepted', { payouts: 'lose' }),
  'succeeds when the notification arrives before the answer': ends('Success 0', { payouts: 'deposited_before_reply' }),
  'ends once when the provider notifies twice': ends('Success 0', { notifications: 'twice' }, { logged: 'known' }),
  'ends correctly when the provider notifies late': ends('Success 0', { notifications: 'late' }, { logged: 'known' }),
  'ignores a forged notification': ends('Success 0', { notifications: 'forged' }, { logged: 'unauthentic' }),
  'is reversed after it succeeded': isReversed({}, amount('10.25')),
  'waits with an alert while the provider refuses our credential': waitsForCredential({ VOPAY_KEY: 'wrong' }),

  'is blocked when it is cancelled before the recipient acts': ends('Blocked 55', {}, { change: amount('10.45') }),
  'gets its outcome from a status query when its answer denies the execution': ends('Success 0', {
    payouts: 'accept_and_answer_error',
    notifications: 'off',
  }),
  'is sent again once VoPay provably rejected it': waits('not_accepted', { payouts: 'answer_error' }),
  'waits while our float at VoPay is empty': waits('not_accepted', { empty: true }),
  'gets its outcome from a status query when no notification arrives': ends('Success 0', { notifications: 'off' }),
  'ends correctly when notifications arrive out of order': ends('Success 0', { notifications: 'out_of_order' }),
  'ignores a notification with another amount': ends(
    'Success 0',
    { notifications: 'wrong_amount' },
    { logged: 'wrong_amount' },
  ),

  'ends by its recipient’s act: a right answer, a decline, no answer in time, or three wrong answers': async (
    trials,
  ) => {
    const acting = [
      [[{ answer: '550123' }], 'Success 0'],
      [[{ decline: true }], 'Blocked 50'],
      [[{ expire: true }], 'Blocked 54'],
      [[{ answer: 'one' }, { answer: 'two' }, { answer: 'three' }], 'Blocked 52'],
    ] as const;
    for (const [acts, end] of acting) {
      const trial = await trials.begin(92, WAITS_FOR_RECIPIENT);
      const { id } = await messageOf(trials, trial);
      for (const act of acts) await trials.control('deposit', { id, ...act });
      await trials.ends(trial, end);
    }
  },

  'does not end by a forged webhook': async (trials) => {
    const trial = await trials.begin(92, WAITS_FOR_RECIPIENT);
    const { id, reference } = await messageOf(trials, trial);
    await trials.control('made-up-webhook', { id, ClientReferenceNumber: reference, Status: 'successful' });
    await sleep(300);
    await assertPending(trial);
    await trials.control('deposit', { id });
    await trials.ends(trial, 'Success 0');
  },
});

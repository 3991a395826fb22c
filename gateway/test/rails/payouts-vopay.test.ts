/**
 * Payouts by e-transfer through VoPay, end to end. An e-transfer is never executed at once, since it waits for its recipient; as in
 * VoPay's own sandbox, the cents of an amount decide what becomes of it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BookEntry } from '../../../rail-simulators/src/vopay/book.ts';
import { assertPending, type Trial } from '../support/payout-ends.ts';
import { describePayouts, ends, isReversed, never, waits, waitsForCredential } from '../support/payout-stories.ts';
import type { Trials } from '../support/payout-trial.ts';
import { readBook } from '../support/simulator-control.ts';
import { until } from '../support/until.ts';

const amount = (text: string) => ({ amount: text });
const WAITS_FOR_RECIPIENT = amount('10.55');

/** The message that its recipient has. */
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
  'is executed at once': never('an e-transfer waits for its recipient'),
  'is declined by an answer that looks like success': ends('Blocked 52', { payouts: 'refuse' }),
  'is pending, then executed': ends('Success 0', {}),
  'is pending, then declined': ends('Blocked 52', {}, { change: amount('10.15') }),
  'is executed and never answered, and found by asking': ends('Success 0', {
    payouts: 'take_unanswered',
    notifications: 'off',
  }),
  'is executed behind a 500, and found by asking': ends('Success 0', { payouts: 'take_500', notifications: 'off' }),
  'never arrives, and is sent again once that is proved': waits('not_taken', { payouts: 'lose' }),
  'is told of before it is answered': ends('Success 0', { payouts: 'deposited_before_reply' }),
  'is told of twice': ends('Success 0', { notifications: 'twice' }, { logged: 'known' }),
  'is told of late': ends('Success 0', { notifications: 'late' }, { logged: 'known' }),
  'is told of by somebody else': ends('Success 0', { notifications: 'forged' }, { logged: 'unauthentic' }),
  'comes back after it succeeded': isReversed({}, amount('10.25')),
  'waits, with an alert, while our credential is refused': waitsForCredential({ VOPAY_KEY: 'wrong' }),

  'is cancelled on its way': ends('Blocked 55', {}, { change: amount('10.45') }),
  'is executed and denied by its answer, and found by asking': ends('Success 0', {
    payouts: 'take_and_say_no',
    notifications: 'off',
  }),
  'is refused before it is taken, and sent again once that is proved': waits('not_taken', { payouts: 'say_no' }),
  'waits while our money at VoPay has run out': waits('not_taken', { empty: true }),
  'is told of by nobody, and found by asking': ends('Success 0', { notifications: 'off' }),
  'is told of out of order': ends('Success 0', { notifications: 'out_of_order' }),
  'is told of with another amount': ends('Success 0', { notifications: 'wrong_amount' }, { logged: 'wrong_amount' }),

  'ends as its recipient acts: answers, declines, leaves it unclaimed, does not know the answer': async (trials) => {
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

  'is not ended by somebody who has seen a webhook': async (trials) => {
    const trial = await trials.begin(92, WAITS_FOR_RECIPIENT);
    const { id, reference } = await messageOf(trials, trial);
    await trials.control('made-up-webhook', { id, ClientReferenceNumber: reference, Status: 'successful' });
    await sleep(300);
    await assertPending(trial);
    await trials.control('deposit', { id });
    await trials.ends(trial, 'Success 0');
  },
});

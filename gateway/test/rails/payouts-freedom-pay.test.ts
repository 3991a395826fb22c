/**
 * Payouts to cards in tenge through Freedom Pay, end to end. Freedom Pay's test cards decide the outcome. Its protocol has no
 * message for the reversal of a successful payout.
 */
import { describePayouts, ends, never, waits, waitsForCredential } from '../support/rails/payout-stories.ts';

const ASK_THE_BANK = { change: { account: '4556046085041740' } };
const PAID_LATER = { change: { account: '5507841999732294' } };
const FAILED_LATER = { change: { account: '4532676596620704' } };

const FREEDOM_PAY = {
  rail: 'freedom-pay',
  methods: { 12: { account: '4671593866478252' } },
  delays: { settleMs: 300, notifyMs: 30, lateMs: 500, holdMs: 30_000 },
} as const;

describePayouts('a payout to a card in tenge', FREEDOM_PAY, {
  'is executed immediately': ends('Success 0', {}),
  'is blocked when an answer with HTTP 200 declines it': ends('Blocked 51', {}, ASK_THE_BANK),
  'is pending first and executed later': ends('Success 0', {}, PAID_LATER),
  'is pending first and declined later': ends('Blocked 51', {}, FAILED_LATER),
  'gets its outcome from a status query when its execution was not answered': ends('Success 0', {
    payouts: 'accept_unanswered',
    notifications: 'off',
  }),
  'gets its outcome from a status query when its execution was answered with 500': ends('Success 0', {
    payouts: 'accept_500',
    notifications: 'off',
  }),
  'is sent again once the provider provably never received it': waits('not_accepted', { payouts: 'lose' }),
  'succeeds when the notification arrives before the answer': ends('Success 0', { payouts: 'notified_before_reply' }),
  'ends once when the provider notifies twice': ends(
    'Success 0',
    { notifications: 'twice' },
    { ...PAID_LATER, logged: 'known' },
  ),
  'ends correctly when the provider notifies late': ends(
    'Success 0',
    { notifications: 'late' },
    { ...PAID_LATER, logged: 'known' },
  ),
  'ignores a forged notification': ends(
    'Success 0',
    { notifications: 'forged' },
    { ...PAID_LATER, logged: 'unauthentic' },
  ),
  'is reversed after it succeeded': never('Freedom Pay has no message for it'),
  'waits with an alert while the provider refuses our credential': waitsForCredential({
    FREEDOM_PAY_PAYOUT_SECRET: 'wrong',
  }),

  'is pending first and blocked by a failure notification': ends('Blocked 51', { notify_failures: true }, FAILED_LATER),
  'gets its outcome from a status query when its answer denies the execution': ends('Success 0', {
    payouts: 'accept_and_answer_error',
    notifications: 'off',
  }),
  'ends correctly when notifications arrive out of order': ends(
    'Success 0',
    { notifications: 'out_of_order' },
    PAID_LATER,
  ),
  'ignores a notification with another amount': ends(
    'Success 0',
    { notifications: 'wrong_amount' },
    { ...PAID_LATER, logged: 'wrong_amount' },
  ),
  'is sent again when Freedom Pay’s number proves that it was not accepted': waits('not_accepted', {
    payouts: 'answer_error',
    statuses: 'number_zero',
  }),
  'waits while our float at Freedom Pay is empty': waits('not_accepted', { empty: true }),
});

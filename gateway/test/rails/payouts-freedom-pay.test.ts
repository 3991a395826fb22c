/**
 * Payouts to cards in tenge through Freedom Pay, end to end. Its own test cards decide what becomes of a payout; it has no word for
 * one that comes back after it was paid.
 */
import { describePayouts, ends, never, waits, waitsForCredential } from '../support/payout-stories.ts';

const ASK_THE_BANK = { change: { account: '4556046085041740' } };
const PAID_LATER = { change: { account: '5507841999732294' } };
const FAILED_LATER = { change: { account: '4532676596620704' } };

const FREEDOM_PAY = {
  rail: 'freedom-pay',
  methods: { 12: { account: '4671593866478252' } },
  delays: { settleMs: 300, tellMs: 30, lateMs: 500, holdMs: 30_000 },
} as const;

describePayouts('a payout to a card in tenge', FREEDOM_PAY, {
  'is executed at once': ends('Success 0', {}),
  'is declined by an answer that looks like success': ends('Blocked 51', {}, ASK_THE_BANK),
  'is pending, then executed': ends('Success 0', {}, PAID_LATER),
  'is pending, then declined': ends('Blocked 51', {}, FAILED_LATER),
  'is executed and never answered, and found by asking': ends('Success 0', {
    payouts: 'take_unanswered',
    notifications: 'off',
  }),
  'is executed behind a 500, and found by asking': ends('Success 0', { payouts: 'take_500', notifications: 'off' }),
  'never arrives, and is sent again once that is proved': waits('not_taken', { payouts: 'lose' }),
  'is told of before it is answered': ends('Success 0', { payouts: 'told_before_reply' }),
  'is told of twice': ends('Success 0', { notifications: 'twice' }, { ...PAID_LATER, logged: 'known' }),
  'is told of late': ends('Success 0', { notifications: 'late' }, { ...PAID_LATER, logged: 'known' }),
  'is told of by somebody else': ends(
    'Success 0',
    { notifications: 'forged' },
    { ...PAID_LATER, logged: 'unauthentic' },
  ),
  'comes back after it succeeded': never('Freedom Pay has no word for it'),
  'waits, with an alert, while our credential is refused': waitsForCredential({ FREEDOM_PAY_PAYOUT_SECRET: 'wrong' }),

  'is pending, then declined, and told of that': ends('Blocked 51', { tell_failures: true }, FAILED_LATER),
  'is executed and denied by its answer, and found by asking': ends('Success 0', {
    payouts: 'take_and_say_no',
    notifications: 'off',
  }),
  'is told of out of order': ends('Success 0', { notifications: 'out_of_order' }, PAID_LATER),
  'is told of with another amount': ends(
    'Success 0',
    { notifications: 'wrong_amount' },
    { ...PAID_LATER, logged: 'wrong_amount' },
  ),
  'is refused before it is taken, which its number proves': waits('not_taken', {
    payouts: 'say_no',
    statuses: 'number_zero',
  }),
  'waits while our money at Freedom Pay has run out': waits('not_taken', { empty: true }),
});

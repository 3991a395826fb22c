/** Payouts in hryvnias through WayForPay, end to end: what WayForPay does, how the payout ends, and what its book says of that. */
import { describePayouts, ends, isReversed, waits, waitsForCredential } from '../support/payout-stories.ts';

const WAYFORPAY = {
  rail: 'wayforpay',
  methods: { 1: {}, 16: {}, 34: {} },
  delays: { tellMs: 20, settleMs: 400, returnMs: 4_000, lateMs: 700, holdMs: 30_000 },
} as const;

describePayouts('a payout in hryvnias', WAYFORPAY, {
  'is executed at once': ends('Success 0', {}),
  'is declined by an answer that looks like success': ends('Blocked 51', { payouts: 'decline' }),
  'is pending, then executed': ends('Success 0', { payouts: 'approve_later' }),
  'is pending, then declined': ends('Blocked 51', { payouts: 'decline_later' }),
  'is executed and never answered, and found by asking': ends('Success 0', {
    payouts: 'approve_unanswered',
    callbacks: 'off',
  }),
  'is executed behind a 500, and found by asking': ends('Success 0', { payouts: 'approve_500', callbacks: 'off' }),
  'never arrives, and is sent again once that is proved': waits('not_taken', { payouts: 'lose' }),
  'is told of before it is answered': ends('Success 0', { payouts: 'approve_told_first' }),
  'is told of twice': ends('Success 0', { callbacks: 'twice' }, { logged: 'known' }),
  'is told of late': ends('Success 0', { callbacks: 'late' }, { logged: 'known' }),
  'is told of by somebody else': ends(
    'Blocked 51',
    { callbacks: 'forged', payouts: 'decline_later' },
    { logged: 'unauthentic' },
  ),
  'comes back after it succeeded': isReversed({ payouts: 'reverse_later' }),
  'waits, with an alert, while our credential is refused': waitsForCredential({ WAYFORPAY_SECRET_KEY: 'wrong' }),

  'is executed and denied by its answer, and found by asking': ends('Success 0', {
    payouts: 'approve_and_say_no',
    callbacks: 'off',
  }),
  'is told of with another amount': ends(
    'Blocked 51',
    { callbacks: 'wrong_amount', payouts: 'decline_later' },
    { logged: 'wrong_amount' },
  ),
  'waits while our balance there is too small': waits('not_taken', { payouts: 'no_float' }),
});

/** Payouts in hryvnias through WayForPay, end to end: WayForPay's behaviour, the payout's outcome and WayForPay's book. */
import { describePayouts, ends, isReversed, waits, waitsForCredential } from '../support/rails/payout-stories.ts';

const WAYFORPAY = {
  rail: 'wayforpay',
  methods: { 1: {}, 16: {}, 34: {} },
  delays: { notifyMs: 20, settleMs: 400, returnMs: 4_000, lateMs: 700, holdMs: 30_000 },
} as const;

describePayouts('a payout in hryvnias', WAYFORPAY, {
  'is executed immediately': ends('Success 0', {}),
  'is blocked when an answer with HTTP 200 declines it': ends('Blocked 51', { payouts: 'decline' }),
  'is pending first and executed later': ends('Success 0', { payouts: 'approve_later' }),
  'is pending first and declined later': ends('Blocked 51', { payouts: 'decline_later' }),
  'gets its outcome from a status query when its execution was not answered': ends('Success 0', {
    payouts: 'approve_unanswered',
    callbacks: 'off',
  }),
  'gets its outcome from a status query when its execution was answered with 500': ends('Success 0', {
    payouts: 'approve_500',
    callbacks: 'off',
  }),
  'is sent again once the provider provably never received it': waits('not_accepted', { payouts: 'lose' }),
  'succeeds when the notification arrives before the answer': ends('Success 0', { payouts: 'approve_notified_first' }),
  'ends once when the provider notifies twice': ends('Success 0', { callbacks: 'twice' }, { logged: 'known' }),
  'ends correctly when the provider notifies late': ends('Success 0', { callbacks: 'late' }, { logged: 'known' }),
  'ignores a forged notification': ends(
    'Blocked 51',
    { callbacks: 'forged', payouts: 'decline_later' },
    { logged: 'unauthentic' },
  ),
  'is reversed after it succeeded': isReversed({ payouts: 'reverse_later' }),
  'waits with an alert while the provider refuses our credential': waitsForCredential({
    WAYFORPAY_SECRET_KEY: 'wrong',
  }),

  'gets its outcome from a status query when its answer denies the execution': ends('Success 0', {
    payouts: 'approve_and_answer_error',
    callbacks: 'off',
  }),
  'ignores a notification with another amount': ends(
    'Blocked 51',
    { callbacks: 'wrong_amount', payouts: 'decline_later' },
    { logged: 'wrong_amount' },
  ),
  'waits while our float at WayForPay is too small': waits('not_accepted', { payouts: 'no_float' }),
});

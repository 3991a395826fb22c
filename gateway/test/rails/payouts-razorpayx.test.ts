/**
 * Payouts to Indian accounts through RazorpayX, end to end: RazorpayX's behaviour, the payout's outcome and RazorpayX's book.
 */
import assert from 'node:assert/strict';
import { assertPending, recordOf, untilAttempted } from '../support/payouts/payout-ends.ts';
import { post } from '../support/payouts/payout-request.ts';
import { describePayouts, ends, isReversed, waits, waitsForCredential } from '../support/rails/payout-stories.ts';
import { referenceOf } from '../support/rails/payout-trial.ts';

const RAZORPAYX = {
  rail: 'razorpayx',
  methods: { 26: {} },
  delays: { settleMs: 150, reverseMs: 4_000, lateMs: 300, holdMs: 30_000 },
} as const;

describePayouts('a payout to an Indian account', RAZORPAYX, {
  'is executed immediately': ends('Success 0', { payouts: 'process_at_once' }),
  'is blocked when an answer with HTTP 200 declines it': ends('Blocked 52', {
    payouts: 'fail_at_once',
    fail_reason: 'bank_account_closed',
  }),
  'is pending first and executed later': ends('Success 0', {}),
  'is pending first and declined later': ends('Blocked 51', { payouts: 'fail' }),
  'gets its outcome from a status query when its execution was not answered': ends('Success 0', {
    calls: 'accept_unanswered',
    notifications: 'off',
  }),
  'gets its outcome from a status query when its execution was answered with 500': ends('Success 0', {
    calls: 'accept_500',
    notifications: 'off',
  }),
  'is sent again once the provider provably never received it': waits('not_accepted', { calls: 'lose' }),
  'succeeds when the notification arrives before the answer': ends('Success 0', { calls: 'processed_before_reply' }),
  'ends once when the provider notifies twice': ends('Success 0', { notifications: 'twice' }, { logged: 'known' }),
  'ends correctly when the provider notifies late': ends('Success 0', { notifications: 'late' }, { logged: 'known' }),
  'ignores a forged notification': ends('Success 0', { notifications: 'forged' }, { logged: 'unauthentic' }),
  'is reversed after it succeeded': isReversed({ payouts: 'reverse' }),
  'waits with an alert while the provider refuses our credential': waitsForCredential({
    RAZORPAYX_KEY_SECRET: 'wrong',
  }),

  'is blocked for a limit': ends('Blocked 53', {
    payouts: 'fail_at_once',
    fail_reason: 'transaction_limit_exceeded',
  }),
  'is queued while the beneficiary’s bank is down, then blocked': ends('Blocked 51', { payouts: 'bank_down' }),
  'is blocked when RazorpayX does not approve it': ends('Blocked 50', { payouts: 'reject' }),
  'is blocked when RazorpayX reverses it before it was processed': ends('Blocked 50', {
    payouts: 'reverse_unprocessed',
  }),
  'is blocked once when it fails and is reversed afterwards': ends('Blocked 51', { payouts: 'fail_then_reverse' }),
  'is sent again once RazorpayX provably never received it behind a 500': waits('not_accepted', { calls: 'lose_500' }),
  'waits while our account at RazorpayX is empty': waits('pending', { float: 'empty' }),
  'waits while RazorpayX is down': waits('unknown', { down: true }),
  'gets its outcome from a status query when no notification arrives': ends('Success 0', { notifications: 'off' }),
  'ends correctly when notifications arrive out of order': ends('Success 0', { notifications: 'out_of_order' }),
  'ignores a notification with another amount': ends(
    'Success 0',
    { notifications: 'wrong_amount' },
    { logged: 'wrong_amount' },
  ),
  'ignores a notification under an unknown reference': ends('Success 0', { notifications: 'foreign_reference' }),

  'is rejected without a name': async ({ gateway }) => {
    const merchant = await gateway.merchant();
    const refused = await merchant.pay(26, 'nameless', { full_name: undefined });
    assert.deepEqual([refused['status'], refused['description']], ['Error', 'Invalid full_name']);
  },

  'is blocked without being sent when its name has letters that RazorpayX does not accept': async (trials, methods) => {
    const { payouts } = await trials.control('summary');
    await ends('Blocked 52', {}, { change: { full_name: 'रवि कुमार' } })(trials, methods);
    assert.equal((await trials.control('summary'))['payouts'], payouts);
  },

  'does not end by a forged notification under its reference': async ({ gateway, faults, begin, control, ends }) => {
    await faults({ payouts: 'hold' });
    const trial = await begin(26);
    await untilAttempted(trial, 'pending');
    const reference = referenceOf(await recordOf(trial));
    const paid = { id: 'pout_1', entity: 'payout', amount: 1_000, currency: 'INR', status: 'processed', created_at: 1 };
    const entity = { ...paid, reference_id: reference };
    const answer = await post(
      `${gateway.url}/rail-notifications/razorpayx`,
      { event: 'payout.processed', payload: { payout: { entity } } },
      { 'x-razorpay-signature': 'ab'.repeat(32) },
    );
    assert.equal(answer.status, 401);
    await assertPending(trial);
    await control('act', { reference, behaviour: 'process' });
    await ends(trial, 'Success 0');
  },
});

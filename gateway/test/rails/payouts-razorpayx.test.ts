/** Payouts to Indian accounts through RazorpayX, end to end: what RazorpayX does, how the payout ends, and what its book says of that. */
import assert from 'node:assert/strict';
import { assertPending, recordOf, untilAttempted } from '../support/payout-ends.ts';
import { post } from '../support/payout-request.ts';
import { describePayouts, ends, isReversed, waits, waitsForCredential } from '../support/payout-stories.ts';
import { referenceOf } from '../support/payout-trial.ts';

const RAZORPAYX = {
  rail: 'razorpayx',
  methods: { 26: {} },
  delays: { settleMs: 150, reverseMs: 4_000, lateMs: 300, holdMs: 30_000 },
} as const;

describePayouts('a payout to an Indian account', RAZORPAYX, {
  'is executed at once': ends('Success 0', { payouts: 'process_at_once' }),
  'is declined by an answer that looks like success': ends('Blocked 52', {
    payouts: 'fail_at_once',
    fail_reason: 'bank_account_closed',
  }),
  'is pending, then executed': ends('Success 0', {}),
  'is pending, then declined': ends('Blocked 51', { payouts: 'fail' }),
  'is executed and never answered, and found by asking': ends('Success 0', {
    calls: 'take_unanswered',
    notifications: 'off',
  }),
  'is executed behind a 500, and found by asking': ends('Success 0', { calls: 'take_500', notifications: 'off' }),
  'never arrives, and is sent again once that is proved': waits('not_taken', { calls: 'lose' }),
  'is told of before it is answered': ends('Success 0', { calls: 'processed_before_reply' }),
  'is told of twice': ends('Success 0', { notifications: 'twice' }, { logged: 'known' }),
  'is told of late': ends('Success 0', { notifications: 'late' }, { logged: 'known' }),
  'is told of by somebody else': ends('Success 0', { notifications: 'forged' }, { logged: 'unauthentic' }),
  'comes back after it succeeded': isReversed({ payouts: 'reverse' }),
  'waits, with an alert, while our credential is refused': waitsForCredential({ RAZORPAYX_KEY_SECRET: 'wrong' }),

  'is declined for a limit': ends('Blocked 53', {
    payouts: 'fail_at_once',
    fail_reason: 'transaction_limit_exceeded',
  }),
  'is queued while the other bank is down, then given up': ends('Blocked 51', { payouts: 'bank_down' }),
  'is not approved': ends('Blocked 50', { payouts: 'reject' }),
  'comes back without ever being processed': ends('Blocked 50', { payouts: 'reverse_unprocessed' }),
  'fails and comes back after that, once': ends('Blocked 51', { payouts: 'fail_then_reverse' }),
  'never arrives behind a 500, and is sent again once that is proved': waits('not_taken', { calls: 'lose_500' }),
  'waits while our account at RazorpayX is empty': waits('pending', { float: 'empty' }),
  'waits while RazorpayX is down': waits('unknown', { down: true }),
  'is told of by nobody, and found by asking': ends('Success 0', { notifications: 'off' }),
  'is told of out of order': ends('Success 0', { notifications: 'out_of_order' }),
  'is told of with another amount': ends('Success 0', { notifications: 'wrong_amount' }, { logged: 'wrong_amount' }),
  'is told of under a reference that is none of ours': ends('Success 0', { notifications: 'foreign_reference' }),

  'without a name is refused': async ({ gateway }) => {
    const merchant = await gateway.merchant();
    const refused = await merchant.pay(26, 'nameless', { full_name: undefined });
    assert.deepEqual([refused['status'], refused['description']], ['Error', 'Invalid full_name']);
  },

  'to a name in letters that RazorpayX does not take is blocked without being sent': async (trials, methods) => {
    const { payouts } = await trials.control('summary');
    await ends('Blocked 52', {}, { change: { full_name: 'रवि कुमार' } })(trials, methods);
    assert.equal((await trials.control('summary'))['payouts'], payouts);
  },

  'is not ended by somebody else who knows its reference': async ({ gateway, faults, begin, control, ends }) => {
    await faults({ payouts: 'hold' });
    const trial = await begin(26);
    await untilAttempted(trial, 'pending');
    const reference = referenceOf(await recordOf(trial));
    const paid = { id: 'pout_1', entity: 'payout', amount: 1_000, currency: 'INR', status: 'processed', created_at: 1 };
    const entity = { ...paid, reference_id: reference };
    const told = await post(
      `${gateway.url}/rail-notifications/razorpayx`,
      { event: 'payout.processed', payload: { payout: { entity } } },
      { 'x-razorpay-signature': 'ab'.repeat(32) },
    );
    assert.equal(told.status, 401);
    await assertPending(trial);
    await control('act', { reference, behaviour: 'process' });
    await ends(trial, 'Success 0');
  },
});

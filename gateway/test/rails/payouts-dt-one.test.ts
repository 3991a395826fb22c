/**
 * Payouts to mobile numbers in Kazakhstan through DT One, end to end. Nothing signs what DT One tells, so it is asked before it is
 * believed.
 */
import assert from 'node:assert/strict';
import { assertPending, recordOf, untilAttempted } from '../support/payout-ends.ts';
import { post } from '../support/payout-request.ts';
import { describePayouts, ends, isReversed, waits, waitsForCredential } from '../support/payout-stories.ts';
import { referenceOf } from '../support/payout-trial.ts';
import { until } from '../support/until.ts';

const DT_ONE = {
  rail: 'dt-one',
  methods: { 24: {} },
  delays: { settleMs: 100, reverseMs: 4_000, lateMs: 300, holdMs: 30_000 },
} as const;

describePayouts('a payout to a mobile number', DT_ONE, {
  'is executed at once': ends('Success 0', { transactions: 'complete_at_once' }),
  'is declined by an answer that looks like success': ends('Blocked 52', {
    transactions: 'reject_at_once',
    why: 'BARRED-CREDIT-PARTY',
  }),
  'is pending, then executed': ends('Success 0', {}),
  'is pending, then declined': ends('Blocked 51', { transactions: 'decline' }),
  'is executed and never answered, and found by asking': ends('Success 0', {
    calls: 'take_unanswered',
    notifications: 'off',
  }),
  'is executed behind a 500, and found by asking': ends('Success 0', { calls: 'take_500', notifications: 'off' }),
  'never arrives, and is sent again once that is proved': waits('not_taken', { calls: 'lose' }),
  'is told of before it is answered': ends('Success 0', { calls: 'completed_before_reply' }),
  'is told of twice': ends('Success 0', { notifications: 'twice' }, { logged: 'known' }),
  'is told of late': ends('Success 0', { notifications: 'late' }, { logged: 'known' }),
  'is told of by somebody else': ends('Success 0', { notifications: 'forged' }, { logged: 'unauthentic' }),
  'comes back after it succeeded': isReversed({ transactions: 'reverse' }),
  'waits, with an alert, while our credential is refused': waitsForCredential({ DT_ONE_API_SECRET: 'wrong' }),

  'is rejected for a limit': ends('Blocked 53', {
    transactions: 'reject',
    why: 'LIMITATIONS-ON-CREDIT-PARTY-AMOUNT',
  }),
  'is bought of an operator that the number has left': ends('Blocked 52', { look_ups: 'stale' }),
  'goes to a number that no operator has': ends('Blocked 52', { look_ups: 'none' }),
  'is rejected since our account is empty': ends('Blocked 50', { float: 'rejected' }),
  'never arrives behind a 503, and is sent again once that is proved': waits('not_taken', { calls: 'lose_503' }),
  'waits while our account at DT One is refused for want of money': waits('not_taken', { float: 'refused' }),
  'waits while DT One is down': waits('not_taken', { down: true }),
  'is told of by nobody, and found by asking': ends('Success 0', { notifications: 'off' }),
  'is told of out of order': ends('Success 0', { notifications: 'out_of_order' }),
  'is told of under a reference that is none of ours': ends('Success 0', { notifications: 'foreign_reference' }),
  'is told of as completed when DT One itself says declined': ends('Blocked 51', {
    notifications: 'lying',
    transactions: 'decline',
  }),

  'is not found for a while, refused when it is sent again, and executed once': async (trials) => {
    await trials.faults({ calls: 'take_500', queries: 'not_yet', notifications: 'off' });
    const trial = await trials.begin(24);
    await until('it was refused as used', async () => Number((await trials.control('summary'))['repeats']) > 0);
    await trials.faults({});
    await trials.ends(trial, 'Success 0');
  },

  'is not ended by what DT One does not confirm, with its password or without': async (trials) => {
    await trials.faults({ transactions: 'hold' });
    const trial = await trials.begin(24);
    await untilAttempted(trial, 'pending');
    const external_id = referenceOf(await recordOf(trial));
    const body = { id: 1, external_id, status: { message: 'COMPLETED', class: { id: 7 } } };
    for (const [password, status] of [
      ['guessed', 401],
      ['dt-one-callback-password', 503],
    ] as const) {
      const authorization = `Basic ${Buffer.from(`dt-one:${password}`).toString('base64')}`;
      const told = await post(`${trials.gateway.url}/rail-notifications/dt-one`, body, { authorization });
      assert.equal(told.status, status);
    }
    await assertPending(trial);
    await trials.control('act', { external_id, behaviour: 'complete' });
    await trials.ends(trial, 'Success 0');
  },
});

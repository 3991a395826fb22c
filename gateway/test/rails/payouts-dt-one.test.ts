/**
 * Payouts to mobile numbers in Kazakhstan through DT One, end to end. DT One does not sign its notifications, so the gateway
 * queries DT One before it accepts one.
 */
import assert from 'node:assert/strict';
import { assertPending, recordOf, untilAttempted } from '../support/payouts/payout-ends.ts';
import { post } from '../support/payouts/payout-request.ts';
import { describePayouts, ends, isReversed, waits, waitsForCredential } from '../support/rails/payout-stories.ts';
import { referenceOf } from '../support/rails/payout-trial.ts';
import { until } from '../support/tools/until.ts';

const DT_ONE = {
  rail: 'dt-one',
  methods: { 24: {} },
  delays: { settleMs: 100, reverseMs: 4_000, lateMs: 900, holdMs: 30_000 },
} as const;

describePayouts('a payout to a mobile number', DT_ONE, {
  'is executed immediately': ends('Success 0', { transactions: 'complete_at_once' }),
  'is blocked when an answer with HTTP 200 declines it': ends('Blocked 52', {
    transactions: 'reject_at_once',
    why: 'BARRED-CREDIT-PARTY',
  }),
  'is pending first and executed later': ends('Success 0', {}),
  'is pending first and declined later': ends('Blocked 51', { transactions: 'decline' }),
  'gets its outcome from a status query when its execution was not answered': ends('Success 0', {
    calls: 'accept_unanswered',
    notifications: 'off',
  }),
  'gets its outcome from a status query when its execution was answered with 500': ends('Success 0', {
    calls: 'accept_500',
    notifications: 'off',
  }),
  'is sent again once the provider provably never received it': waits('not_accepted', { calls: 'lose' }),
  'succeeds when the notification arrives before the answer': ends('Success 0', { calls: 'completed_before_reply' }),
  'ends once when the provider notifies twice': ends('Success 0', { notifications: 'twice' }, { logged: 'known' }),
  'ends correctly when the provider notifies late': ends('Success 0', { notifications: 'late' }, { logged: 'known' }),
  'ignores a forged notification': ends('Success 0', { notifications: 'forged' }, { logged: 'unauthentic' }),
  'is reversed after it succeeded': isReversed({ transactions: 'reverse' }),
  'waits with an alert while the provider refuses our credential': waitsForCredential({ DT_ONE_API_SECRET: 'wrong' }),

  'is blocked for a limit': ends('Blocked 53', {
    transactions: 'reject',
    why: 'LIMITATIONS-ON-CREDIT-PARTY-AMOUNT',
  }),
  'is blocked when the number has left the operator of the query': ends('Blocked 52', { look_ups: 'stale' }),
  'is blocked when no operator has the number': ends('Blocked 52', { look_ups: 'none' }),
  'is blocked when our account is empty': ends('Blocked 50', { float: 'rejected' }),
  'is sent again once DT One provably never received it behind a 503': waits('not_accepted', { calls: 'lose_503' }),
  'waits while DT One rejects it because our account is empty': waits('not_accepted', { float: 'refused' }),
  'waits while DT One is down': waits('not_accepted', { down: true }),
  'gets its outcome from a status query when no notification arrives': ends('Success 0', { notifications: 'off' }),
  'ends correctly when notifications arrive out of order': ends('Success 0', { notifications: 'out_of_order' }),
  'ignores a notification under an unknown reference': ends('Success 0', { notifications: 'foreign_reference' }),
  'is blocked when a notification says completed and DT One itself says declined': ends('Blocked 51', {
    notifications: 'lying',
    transactions: 'decline',
  }),

  'is executed once when DT One does not find it at first and rejects the second order as a duplicate': async (
    trials,
  ) => {
    await trials.faults({ calls: 'accept_500', queries: 'not_yet', notifications: 'off' });
    const trial = await trials.begin(24);
    await until('DT One rejected the duplicate', async () => Number((await trials.control('summary'))['repeats']) > 0);
    await trials.faults({});
    await trials.ends(trial, 'Success 0');
  },

  'does not end by a notification that DT One does not confirm, with its password or without': async (trials) => {
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
      const answer = await post(`${trials.gateway.url}/rail-notifications/dt-one`, body, { authorization });
      assert.equal(answer.status, status);
    }
    await assertPending(trial);
    await trials.control('act', { external_id, behaviour: 'complete' });
    await trials.ends(trial, 'Success 0');
  },
});

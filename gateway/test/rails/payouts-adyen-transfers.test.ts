/** Payouts to cards through Adyen, end to end: Adyen's behaviour, the payout's outcome and Adyen's book. */
import assert from 'node:assert/strict';
import { assertPending, recordOf, untilAttempted } from '../support/payouts/payout-ends.ts';
import { describePayouts, ends, isReversed, waits, waitsForCredential } from '../support/rails/payout-stories.ts';
import { until } from '../support/tools/until.ts';

const ADYEN = {
  rail: 'adyen-transfers',
  methods: { 8: {}, 9: { full_name: 'Greta Weiß' }, 22: {}, 23: {}, 93: {} },
  delays: { stepMs: 150, returnMs: 4_000, lateMs: 300, holdMs: 30_000 },
} as const;

describePayouts('a payout to a card through Adyen', ADYEN, {
  'is executed immediately': ends('Success 0', { transfers: 'book_at_once' }),
  'is blocked when an answer with HTTP 200 declines it': ends('Blocked 51', {
    transfers: 'refuse',
    reason: 'doNotHonor',
  }),
  'is pending first and executed later': ends('Success 0', {}),
  'is pending first and declined later': ends('Blocked 52', { transfers: 'refuse_later', reason: 'invalidCard' }),
  'gets its outcome from a status query when its execution was not answered': ends('Success 0', {
    answers: 'accept_unanswered',
    webhooks: 'off',
  }),
  'gets its outcome from a status query when its execution was answered with 500': ends('Success 0', {
    answers: 'accept_500',
    webhooks: 'off',
  }),
  'is sent again once the provider provably never received it': waits('not_accepted', { answers: 'lose' }),
  'succeeds when the notification arrives before the answer': ends('Success 0', { webhooks: 'before_reply' }),
  'ends once when the provider notifies twice': ends('Success 0', { webhooks: 'twice' }, { logged: 'known' }),
  'ends correctly when the provider notifies late': ends('Success 0', { webhooks: 'late' }, { logged: 'known' }),
  'ignores a forged notification': ends('Success 0', { webhooks: 'forged' }, { logged: 'unauthentic' }),
  'is reversed after it succeeded': isReversed({ transfers: 'return' }),
  'waits with an alert while the provider refuses our credential': waitsForCredential({
    ADYEN_TRANSFERS_API_KEY: 'wrong',
  }),

  'is reversed when it fails after its booking': isReversed({ transfers: 'fail_after_booking' }),
  'is blocked for a limit': ends('Blocked 53', { transfers: 'refuse', reason: 'amountLimitExceeded' }),
  'is blocked when the other bank rejects it': ends('Blocked 52', {
    transfers: 'fail',
    reason: 'counterpartyAccountClosed',
  }),
  'gets its outcome from a status query when Adyen cancels it': ends('Blocked 50', { transfers: 'cancel' }),
  'is blocked when a forged notification says booked': ends('Blocked 51', { transfers: 'refuse', webhooks: 'forged' }),
  'succeeds when it is received first': ends('Success 0', { transfers: 'receive_first' }),
  'gets its outcome from a status query when no notification arrives': ends('Success 0', { webhooks: 'off' }),
  'ends correctly when notifications arrive out of order': ends('Success 0', { webhooks: 'out_of_order' }),
  'ignores a notification with another amount': ends(
    'Success 0',
    { webhooks: 'wrong_amount' },
    { logged: 'wrong_amount' },
  ),
  'waits, longer than this test, while our float at Adyen is empty': async ({ faults, begin }) => {
    await faults({ funds: 'none' });
    const trial = await begin(22);
    await until('the second attempt is sent', async () => (await recordOf(trial)).attempts.length > 1);
    await untilAttempted(trial, 'not_accepted');
    await assertPending(trial);
  },

  'is rejected without a name, because no other rail carries it here': async ({ gateway }) => {
    const merchant = await gateway.merchant();
    const refused = await merchant.pay(9, 'nameless');
    assert.deepEqual([refused['status'], refused['description']], ['Error', 'Invalid full_name']);
  },
});

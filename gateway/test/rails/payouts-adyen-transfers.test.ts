/** Payouts to cards through Adyen, end to end: what Adyen does, how the payout ends, and what its book says of that. */
import assert from 'node:assert/strict';
import { assertPending, recordOf, untilAttempted } from '../support/payout-ends.ts';
import { describePayouts, ends, isReversed, waits, waitsForCredential } from '../support/payout-stories.ts';
import { until } from '../support/until.ts';

const ADYEN = {
  rail: 'adyen-transfers',
  methods: { 8: {}, 9: { full_name: 'Greta Weiß' }, 22: {}, 23: {}, 93: {} },
  delays: { stepMs: 150, returnMs: 4_000, lateMs: 300, holdMs: 30_000 },
} as const;

describePayouts('a payout to a card through Adyen', ADYEN, {
  'is executed at once': ends('Success 0', { transfers: 'book_at_once' }),
  'is declined by an answer that looks like success': ends('Blocked 51', { transfers: 'refuse', reason: 'doNotHonor' }),
  'is pending, then executed': ends('Success 0', {}),
  'is pending, then declined': ends('Blocked 52', { transfers: 'refuse_later', reason: 'invalidCard' }),
  'is executed and never answered, and found by asking': ends('Success 0', {
    answers: 'take_unanswered',
    webhooks: 'off',
  }),
  'is executed behind a 500, and found by asking': ends('Success 0', { answers: 'take_500', webhooks: 'off' }),
  'never arrives, and is sent again once that is proved': waits('not_taken', { answers: 'lose' }),
  'is told of before it is answered': ends('Success 0', { webhooks: 'before_reply' }),
  'is told of twice': ends('Success 0', { webhooks: 'twice' }, { logged: 'known' }),
  'is told of late': ends('Success 0', { webhooks: 'late' }, { logged: 'known' }),
  'is told of by somebody else': ends('Success 0', { webhooks: 'forged' }, { logged: 'unauthentic' }),
  'comes back after it succeeded': isReversed({ transfers: 'return' }),
  'waits, with an alert, while our credential is refused': waitsForCredential({ ADYEN_TRANSFERS_API_KEY: 'wrong' }),

  'fails after it was booked': isReversed({ transfers: 'fail_after_booking' }),
  'is over a limit': ends('Blocked 53', { transfers: 'refuse', reason: 'amountLimitExceeded' }),
  'is rejected by the other bank': ends('Blocked 52', { transfers: 'fail', reason: 'counterpartyAccountClosed' }),
  'is given up on the way, and found by asking': ends('Blocked 50', { transfers: 'cancel' }),
  'is refused while somebody else says it was booked': ends('Blocked 51', { transfers: 'refuse', webhooks: 'forged' }),
  'is received first': ends('Success 0', { transfers: 'receive_first' }),
  'is told of by nobody, and found by asking': ends('Success 0', { webhooks: 'off' }),
  'is told of out of order': ends('Success 0', { webhooks: 'out_of_order' }),
  'is told of with another amount': ends('Success 0', { webhooks: 'wrong_amount' }, { logged: 'wrong_amount' }),
  'waits, longer than this test, while our money at Adyen has run out': async ({ faults, begin }) => {
    await faults({ funds: 'none' });
    const trial = await begin(22);
    await until('it is sent a second time', async () => (await recordOf(trial)).attempts.length > 1);
    await untilAttempted(trial, 'not_taken');
    await assertPending(trial);
  },

  'without a name is refused, since no other rail carries it here': async ({ gateway }) => {
    const merchant = await gateway.merchant();
    const refused = await merchant.pay(9, 'nameless');
    assert.deepEqual([refused['status'], refused['description']], ['Error', 'Invalid full_name']);
  },
});

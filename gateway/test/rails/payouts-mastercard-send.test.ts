/**
 * Payouts to Mastercard cards through Mastercard Send, end to end. Mastercard sends no notifications: the gateway learns an
 * outcome from a response or a query, and never learns of a reversal.
 */
import { recordOf, untilAttempted } from '../support/payouts/payout-ends.ts';
import {
  describePayouts,
  ends,
  sendsNoNotification,
  waits,
  waitsForCredential,
} from '../support/rails/payout-stories.ts';
import { referenceOf } from '../support/rails/payout-trial.ts';
import { until } from '../support/tools/until.ts';

const MASTERCARD = {
  rail: 'mastercard-send',
  methods: { 23: {} },
  delays: { endMs: 400, holdMs: 30_000 },
} as const;

describePayouts('a payout to a Mastercard through Mastercard Send', MASTERCARD, {
  'is executed immediately': ends('Success 0', {}),
  'is blocked when an answer with HTTP 200 declines it': ends('Blocked 51', { disbursements: 'decline' }),
  'is pending first and executed later': ends('Success 0', { disbursements: 'pending_then_approve' }),
  'is pending first and declined later': ends('Blocked 51', { disbursements: 'unknown_then_decline' }),
  'gets its outcome from a status query when its execution was not answered': ends('Success 0', {
    answers: 'accept_unanswered',
  }),
  'gets its outcome from a status query when its execution was answered with 500': ends('Success 0', {
    answers: 'accept_500',
  }),
  'is sent again once the provider provably never received it': waits('not_accepted', { answers: 'lose' }),
  ...sendsNoNotification('Mastercard'),
  'waits with an alert while the provider refuses our credential': waitsForCredential({
    MASTERCARD_SEND_CONSUMER_KEY: 'wrong!mastercard-send',
  }),

  'is unknown first and executed later': ends('Success 0', { disbursements: 'unknown_then_approve' }),
  'is executed when its answer is unreadable': ends('Success 0', { answers: 'accept_garbled' }),
  'is blocked when a 402 declines it': ends('Blocked 51', { disbursements: 'decline', decline_details: false }),
  'is blocked when its card has expired': ends('Blocked 52', { disbursements: 'decline', network_code: '54' }),
  'is blocked for a limit': ends('Blocked 53', { disbursements: 'decline', network_code: '61' }),
  'is blocked when its account is invalid': ends('Blocked 52', { invalid_source: 'recipient_account_uri' }),

  'is executed once when Mastercard does not list it at first and recognises the second order': async ({
    faults,
    begin,
    ends,
  }) => {
    await faults({ answers: 'accept_500', queries: 'not_yet' });
    const trial = await begin(23);
    await until('it is sent again', async () => (await recordOf(trial)).attempts.length > 1);
    await faults({});
    await ends(trial, 'Success 0');
  },

  'is blocked when it is reversed before its success is known': async ({ faults, begin, ends, control }) => {
    await faults({ answers: 'accept_500', queries: 'not_yet' });
    const trial = await begin(23);
    await untilAttempted(trial, 'unknown');
    await control('reverse', { reference: referenceOf(await recordOf(trial)) });
    await faults({});
    await ends(trial, 'Blocked 50', 1);
  },
});

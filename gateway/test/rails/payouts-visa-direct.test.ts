/**
 * Payouts to Visa cards through Visa Direct, end to end, with message-level encryption. Visa sends no notifications: the
 * gateway learns an outcome from a response or a query. Only Visa's report shows the reversal of a successful payout.
 */
import { identityOf } from '../../src/rails/visa-direct/reference.ts';
import { recordOf, untilAttempted } from '../support/payouts/payout-ends.ts';
import { VISA_CARD } from '../support/payouts/payout-request.ts';
import {
  describePayouts,
  ends,
  sendsNoNotification,
  waits,
  waitsForCredential,
} from '../support/rails/payout-stories.ts';
import { referenceOf } from '../support/rails/payout-trial.ts';

const VISA = {
  rail: 'visa-direct',
  methods: { 22: {}, 8: {}, 9: { account: VISA_CARD } },
  delays: { endMs: 400, holdMs: 30_000 },
} as const;

describePayouts('a payout to a Visa card through Visa Direct', VISA, {
  'is executed immediately': ends('Success 0', {}),
  'is blocked when an answer with HTTP 200 declines it': ends('Blocked 51', { action_code: '05' }),
  'is pending first and executed later': ends('Success 0', { timing: 'late_json' }),
  'is pending first and declined later': ends('Blocked 51', { timing: 'late_json', action_code: '05' }),
  'gets its outcome from a status query when its execution was not answered': ends('Success 0', {
    answers: 'accept_unanswered',
  }),
  'gets its outcome from a status query when its execution was answered with 500': ends('Success 0', {
    answers: 'accept_500',
  }),
  'is sent again once the provider provably never received it': waits('not_accepted', { answers: 'lose' }),
  ...sendsNoNotification('Visa'),
  'waits with an alert while the provider refuses our credential': waitsForCredential({
    VISA_DIRECT_PASSWORD: 'wrong',
  }),

  'is pending under an identifier without JSON, and executed later': ends('Success 0', { timing: 'late_text' }),
  'is blocked when its card number is invalid': ends('Blocked 52', { action_code: '14' }),
  'is blocked for a limit': ends('Blocked 53', { action_code: '61' }),
  'is blocked after a query when it does not reach the issuer': ends('Blocked 51', { action_code: '91' }),
  'is blocked when its country is restricted': ends('Blocked 52', { validation: 'restricted' }),

  'is executed once when Visa does not list it at first and recognises the second order': async ({
    faults,
    begin,
    ends,
  }) => {
    await faults({ answers: 'accept_500', queries: 'not_yet' });
    const trial = await begin(22);
    await untilAttempted(trial, 'unknown');
    await faults({ queries: 'not_yet' });
    await ends(trial, 'Success 0');
  },

  'is blocked when it is reversed before its success is known': async ({ faults, begin, ends, control }) => {
    await faults({ answers: 'accept_500', queries: 'not_yet' });
    const trial = await begin(22);
    await untilAttempted(trial, 'unknown');
    await control('reverse', { sender_reference: identityOf(referenceOf(await recordOf(trial))).senderReference });
    await faults({});
    await ends(trial, 'Blocked 50', 1);
  },
});

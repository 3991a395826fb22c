/**
 * Payouts to Mastercard's cards through Mastercard Send, end to end. Mastercard tells nothing by itself: what it does is answered
 * or asked for, and nobody hears of what is undone after a success.
 */
import { recordOf, untilAttempted } from '../support/payout-ends.ts';
import { describePayouts, ends, tellsNothing, waits, waitsForCredential } from '../support/payout-stories.ts';
import { referenceOf } from '../support/payout-trial.ts';
import { until } from '../support/until.ts';

const MASTERCARD = {
  rail: 'mastercard-send',
  methods: { 23: {} },
  delays: { endMs: 400, holdMs: 30_000 },
} as const;

describePayouts('a payout to a Mastercard through Mastercard Send', MASTERCARD, {
  'is executed at once': ends('Success 0', {}),
  'is declined by an answer that looks like success': ends('Blocked 51', { disbursements: 'decline' }),
  'is pending, then executed': ends('Success 0', { disbursements: 'pending_then_approve' }),
  'is pending, then declined': ends('Blocked 51', { disbursements: 'unknown_then_decline' }),
  'is executed and never answered, and found by asking': ends('Success 0', { answers: 'take_unanswered' }),
  'is executed behind a 500, and found by asking': ends('Success 0', { answers: 'take_500' }),
  'never arrives, and is sent again once that is proved': waits('not_taken', { answers: 'lose' }),
  ...tellsNothing('Mastercard'),
  'waits, with an alert, while our credential is refused': waitsForCredential({
    MASTERCARD_SEND_CONSUMER_KEY: 'wrong!mastercard-send',
  }),

  'is unknown at first, then executed': ends('Success 0', { disbursements: 'unknown_then_approve' }),
  'is executed and answered with what can’t be read': ends('Success 0', { answers: 'take_garbled' }),
  'is declined by a 402': ends('Blocked 51', { disbursements: 'decline', decline_details: false }),
  'goes to a card that has expired': ends('Blocked 52', { disbursements: 'decline', network_code: '54' }),
  'is over a limit': ends('Blocked 53', { disbursements: 'decline', network_code: '61' }),
  'goes to an account that is none': ends('Blocked 52', { invalid_source: 'recipient_account_uri' }),

  'is not listed yet, is sent again, known by Mastercard, and paid once': async ({ faults, begin, ends }) => {
    await faults({ answers: 'take_500', queries: 'not_yet' });
    const trial = await begin(23);
    await until('it is sent again', async () => (await recordOf(trial)).attempts.length > 1);
    await faults({});
    await ends(trial, 'Success 0');
  },

  'comes back before anybody knew it paid, and is blocked': async ({ faults, begin, ends, control }) => {
    await faults({ answers: 'take_500', queries: 'not_yet' });
    const trial = await begin(23);
    await untilAttempted(trial, 'unknown');
    await control('reverse', { reference: referenceOf(await recordOf(trial)) });
    await faults({});
    await ends(trial, 'Blocked 50', 1);
  },
});

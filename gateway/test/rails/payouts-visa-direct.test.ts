/**
 * Payouts to Visa cards through Visa Direct, end to end, with whole messages encrypted. Visa tells nothing by itself: what it does
 * is answered or asked for, and what is undone after a success shows in its report alone.
 */
import { identityOf } from '../../src/rails/visa-direct/transaction-identity.ts';
import { recordOf, untilAttempted } from '../support/payout-ends.ts';
import { VISA_CARD } from '../support/payout-request.ts';
import { describePayouts, ends, tellsNothing, waits, waitsForCredential } from '../support/payout-stories.ts';
import { referenceOf } from '../support/payout-trial.ts';

const VISA = {
  rail: 'visa-direct',
  methods: { 22: {}, 8: {}, 9: { account: VISA_CARD } },
  delays: { endMs: 400, holdMs: 30_000 },
} as const;

describePayouts('a payout to a Visa card through Visa Direct', VISA, {
  'is executed at once': ends('Success 0', {}),
  'is declined by an answer that looks like success': ends('Blocked 51', { action_code: '05' }),
  'is pending, then executed': ends('Success 0', { timing: 'late_json' }),
  'is pending, then declined': ends('Blocked 51', { timing: 'late_json', action_code: '05' }),
  'is executed and never answered, and found by asking': ends('Success 0', { answers: 'take_unanswered' }),
  'is executed behind a 500, and found by asking': ends('Success 0', { answers: 'take_500' }),
  'never arrives, and is sent again once that is proved': waits('not_taken', { answers: 'lose' }),
  ...tellsNothing('Visa'),
  'waits, with an alert, while our credential is refused': waitsForCredential({ VISA_DIRECT_PASSWORD: 'wrong' }),

  'is pending under an identifier that comes bare, then executed': ends('Success 0', { timing: 'late_text' }),
  'goes to a card that is none': ends('Blocked 52', { action_code: '14' }),
  'is over a limit': ends('Blocked 53', { action_code: '61' }),
  'does not reach its issuer, and is looked up': ends('Blocked 51', { action_code: '91' }),
  'goes to a country that is restricted': ends('Blocked 52', { validation: 'restricted' }),

  'is not listed yet, is sent again, known by Visa, and paid once': async ({ faults, begin, ends }) => {
    await faults({ answers: 'take_500', queries: 'not_yet' });
    const trial = await begin(22);
    await untilAttempted(trial, 'unknown');
    await faults({ queries: 'not_yet' });
    await ends(trial, 'Success 0');
  },

  'is undone before anybody knew it done, and blocked': async ({ faults, begin, ends, control }) => {
    await faults({ answers: 'take_500', queries: 'not_yet' });
    const trial = await begin(22);
    await untilAttempted(trial, 'unknown');
    await control('reverse', { sender_reference: identityOf(referenceOf(await recordOf(trial))).senderReference });
    await faults({});
    await ends(trial, 'Blocked 50', 1);
  },
});

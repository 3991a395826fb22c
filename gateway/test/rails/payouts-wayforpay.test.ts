/** Payouts in hryvnias through WayForPay, end to end: what WayForPay does, how the payout ends, and what its book says of that. */
import { readSettingsOf } from '../../../rail-simulators/src/environment.ts';
import type { BookEntry } from '../../../rail-simulators/src/wayforpay/book.ts';
import { noFaults } from '../../../rail-simulators/src/wayforpay/faults.ts';
import { startWayForPay } from '../../../rail-simulators/src/wayforpay/wayforpay-server.ts';
import { describePayouts, ends, isReversed, waits, waitsForCredential } from '../support/payout-stories.ts';
import { counted, HERE, referenceOf, type TrialProvider } from '../support/payout-trial.ts';

const byReference = ({ reference }: BookEntry) => reference;

const WAYFORPAY: TrialProvider<BookEntry> = {
  rail: 'wayforpay',
  methods: { 1: {}, 16: {}, 34: {} },
  usual: { ...noFaults, payouts: 'approve' },
  known: referenceOf,
  executed: (book) => counted(book, byReference, byReference),
  async start(folder) {
    const settings = readSettingsOf('wayforpay', { WAYFORPAY_PORT: '0' }, folder);
    const delays = { tellMs: 20, settleMs: 400, returnMs: 600, lateMs: 700, holdMs: 5_000 };
    const { url, close } = await startWayForPay({ ...HERE, ...settings, delays });
    return { control: { url, secret: settings.secret }, variables: { WAYFORPAY_URL: url }, close };
  },
};

describePayouts('a payout in hryvnias', WAYFORPAY, {
  'is executed at once': ends('Success 0', {}),
  'is declined by an answer that looks like success': ends('Blocked 51', { payouts: 'decline' }),
  'is pending, then executed': ends('Success 0', { payouts: 'approve_later' }),
  'is pending, then declined': ends('Blocked 51', { payouts: 'decline_later' }),
  'is executed and never answered, and found by asking': ends('Success 0', {
    payouts: 'approve_unanswered',
    callbacks: 'off',
  }),
  'is executed behind a 500, and found by asking': ends('Success 0', { payouts: 'approve_500', callbacks: 'off' }),
  'never arrives, and is sent again once that is proved': waits('not_taken', { payouts: 'lose' }),
  'is told of before it is answered': ends('Success 0', { payouts: 'approve_told_first' }),
  'is told of twice': ends('Success 0', { callbacks: 'twice' }, { logged: 'known' }),
  'is told of late': ends('Success 0', { callbacks: 'late' }, { logged: 'known' }),
  'is told of by somebody else': ends(
    'Blocked 51',
    { callbacks: 'forged', payouts: 'decline_later' },
    { logged: 'unauthentic' },
  ),
  'comes back after it succeeded': isReversed({ payouts: 'reverse_later' }),
  'waits, with an alert, while our credential is refused': waitsForCredential({ WAYFORPAY_SECRET_KEY: 'wrong' }),

  'is executed and denied by its answer, and found by asking': ends('Success 0', {
    payouts: 'approve_and_say_no',
    callbacks: 'off',
  }),
  'is told of with another amount': ends(
    'Blocked 51',
    { callbacks: 'wrong_amount', payouts: 'decline_later' },
    { logged: 'wrong_amount' },
  ),
  'waits while our balance there is too small': waits('not_taken', { payouts: 'no_float' }),
});

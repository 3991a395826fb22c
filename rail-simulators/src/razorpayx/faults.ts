/** The faults a test or a demonstration can switch on in RazorpayX, beside those of every simulator. */
import { defineFaults, type FaultsOf, namesIn } from '../kernel/fault-table.ts';
import { notificationModes } from '../kernel/notifier.ts';
import { conducts } from './conducts.ts';
import { reasons } from './reasons.ts';

export const faultTable = defineFaults({
  /** How a payout that is sound is taken and answered. */
  calls: [
    'take',
    'take_unanswered',
    'take_500',
    'processed_before_reply',
    'lose',
    'lose_500',
    'throttle',
    'refuse_address',
  ],
  lists: ['answer', 'not_yet', 'throttle', 'answer_500'],
  /** What becomes of the payouts that are taken from now on. */
  payouts: ['by_amount', ...namesIn(conducts)],
  /** Why those fail or are reversed that do. */
  fail_reason: ['beneficiary_bank_rejected', ...reasons],
  /** What a second request under one key is answered with: the payout as it is, or as it was. */
  repetitions: ['latest', 'first'],
  float: ['enough', 'empty'],
  notifications: [...notificationModes, 'wrong_amount', 'forged', 'foreign_reference'],
});

export type Faults = FaultsOf<typeof faultTable>;
export const { noFaults } = faultTable;

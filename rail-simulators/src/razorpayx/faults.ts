/** Faults of RazorpayX that a test or demo can enable, in addition to those of every simulator. */
import { defineFaults, type FaultsOf, namesIn } from '../kernel/fault-table.ts';
import { NOTIFICATION_MODES } from '../kernel/notifier.ts';
import { CONDUCTS } from './conducts.ts';
import { REASONS } from './reasons.ts';

export const FAULT_TABLE = defineFaults({
  /** How the simulator accepts and responds to a valid payout. */
  calls: [
    'accept',
    'accept_unanswered',
    'accept_500',
    'processed_before_reply',
    'lose',
    'lose_500',
    'throttle',
    'refuse_address',
  ],
  lists: ['answer', 'not_yet', 'throttle', 'answer_500'],
  /** The conduct of payouts accepted from now on. */
  payouts: ['by_amount', ...namesIn(CONDUCTS)],
  /** The reason for their failure or reversal. */
  fail_reason: ['beneficiary_bank_rejected', ...REASONS],
  /** The response to a repeated key: the current payout, or its first state. */
  repetitions: ['latest', 'first'],
  float: ['enough', 'empty'],
  notifications: [...NOTIFICATION_MODES, 'wrong_amount', 'forged', 'foreign_reference'],
});

export type Faults = FaultsOf<typeof FAULT_TABLE>;
export const { noFaults } = FAULT_TABLE;

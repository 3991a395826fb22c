/** The faults a test or a demonstration can switch on in Freedom Pay, beside those of every simulator. */
import { defineFaults, type FaultsOf, namesIn } from '../kernel/fault-table.ts';
import { notificationModes } from '../kernel/notifier.ts';
import { conducts } from './cards.ts';

export const faultTable = defineFaults({
  /** How a payout that is sound is taken and answered. */
  payouts: [
    'by_amount',
    'take',
    'take_unanswered',
    'take_500',
    'take_and_say_no',
    'told_before_reply',
    'lose',
    'say_no',
    'refuse',
    'not_activated',
  ],
  /** What becomes of those that are taken. */
  outcomes: ['by_card', ...namesIn(conducts)],
  statuses: ['answer', 'not_yet', 'number_zero', 'say_no'],
  /** With which word a payout that was paid is answered: that of the example, or that of the list beside it. */
  wording: ['example', 'list'],
  /** Of answers. */
  signatures: ['right', 'wrong', 'none'],
  /** Nothing is left to pay out of. */
  empty: false,
  notifications: [...notificationModes, 'wrong_amount', 'forged'],
  /** Whether the client is told of what failed. */
  tell_failures: false,
});

export type Faults = FaultsOf<typeof faultTable>;
export const { noFaults } = faultTable;

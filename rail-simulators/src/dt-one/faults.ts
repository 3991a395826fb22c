/** The faults a test or a demonstration can switch on in DT One, beside those of every simulator. */
import { defineFaults, type FaultsOf, namesIn } from '../kernel/fault-table.ts';
import { notificationModes } from '../kernel/notifier.ts';
import { conducts, whys } from './conducts.ts';

export const faultTable = defineFaults({
  /** How a transaction that is sound is taken and answered. */
  calls: ['take', 'take_unanswered', 'take_500', 'completed_before_reply', 'lose', 'lose_503', 'throttle'],
  look_ups: ['answer', 'stale', 'unidentified', 'none', 'throttle', 'answer_500'],
  queries: ['answer', 'not_yet', 'not_yet_404', 'throttle', 'answer_500'],
  /** What becomes of the transactions that are made from now on. */
  transactions: ['by_amount', ...namesIn(conducts)],
  /** Why those are rejected or declined that are. */
  why: whys,
  /** How too little money is said, where there is. */
  float: ['enough', 'refused', 'rejected'],
  notifications: [...notificationModes, 'forged', 'lying', 'foreign_reference'],
});

export type Faults = FaultsOf<typeof faultTable>;
export const { noFaults } = faultTable;

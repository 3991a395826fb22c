/** The faults of DT One that a test or a demonstration can switch on, in addition to those of every simulator. */
import { defineFaults, type FaultsOf, namesIn } from '../kernel/fault-table.ts';
import { notificationModes } from '../kernel/notifier.ts';
import { conducts, whys } from './conducts.ts';

export const faultTable = defineFaults({
  /** How the simulator accepts and answers a valid transaction. */
  calls: ['accept', 'accept_unanswered', 'accept_500', 'completed_before_reply', 'lose', 'lose_503', 'throttle'],
  look_ups: ['answer', 'stale', 'unidentified', 'none', 'throttle', 'answer_500'],
  queries: ['answer', 'not_yet', 'not_yet_404', 'throttle', 'answer_500'],
  /** The course of the transactions made from now on. */
  transactions: ['by_amount', ...namesIn(conducts)],
  /** The reason for their rejection or decline. */
  why: whys,
  /** How a short balance is reported. */
  float: ['enough', 'refused', 'rejected'],
  notifications: [...notificationModes, 'forged', 'lying', 'foreign_reference'],
});

export type Faults = FaultsOf<typeof faultTable>;
export const { noFaults } = faultTable;

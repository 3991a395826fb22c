/** Faults of DT One that a test or demo can enable, in addition to those of every simulator. */
import { defineFaults, type FaultsOf, namesIn } from '../kernel/fault-table.ts';
import { NOTIFICATION_MODES } from '../kernel/notifier.ts';
import { CONDUCTS, WHYS } from './conducts.ts';

export const FAULT_TABLE = defineFaults({
  /** How the simulator accepts and responds to a valid transaction. */
  calls: ['accept', 'accept_unanswered', 'accept_500', 'completed_before_reply', 'lose', 'lose_503', 'throttle'],
  look_ups: ['answer', 'stale', 'unidentified', 'none', 'throttle', 'answer_500'],
  queries: ['answer', 'not_yet', 'not_yet_404', 'throttle', 'answer_500'],
  /** The conduct of transactions created from now on. */
  transactions: ['by_amount', ...namesIn(CONDUCTS)],
  /** The reason for their rejection or decline. */
  why: WHYS,
  /** How an insufficient balance is reported. */
  float: ['enough', 'refused', 'rejected'],
  notifications: [...NOTIFICATION_MODES, 'forged', 'lying', 'foreign_reference'],
});

export type Faults = FaultsOf<typeof FAULT_TABLE>;
export const { noFaults } = FAULT_TABLE;

/** Faults of Adyen that a test or demo can enable, in addition to those of every simulator. */
import { defineFaults, type FaultsOf, namesIn, textLike } from '../kernel/fault-table.ts';
import { NOTIFICATION_MODES } from '../kernel/notifier.ts';
import { CONDUCTS } from './conducts.ts';

export const FAULT_TABLE = defineFaults({
  /** How the simulator accepts and responds to a valid request. */
  answers: ['all', 'accept_unanswered', 'accept_500', 'lose', 'at_work', 'forbidden'],
  /** The conduct of transfers accepted from now on. */
  transfers: ['by_amount', ...namesIn(CONDUCTS)],
  /** The reason for their refusal, failure or return. */
  reason: textLike('declined', /^[A-Za-z]{1,64}$/),
  funds: ['enough', 'none'],
  lists: ['answer', 'not_yet'],
  webhooks: [...NOTIFICATION_MODES, 'before_reply', 'wrong_amount', 'forged'],
});

export type Faults = FaultsOf<typeof FAULT_TABLE>;
export const { noFaults } = FAULT_TABLE;

/** The faults a test or a demonstration can switch on in Adyen, beside those of every simulator. */
import { defineFaults, type FaultsOf, namesIn, textLike } from '../kernel/fault-table.ts';
import { notificationModes } from '../kernel/notifier.ts';
import { conducts } from './conducts.ts';

export const faultTable = defineFaults({
  /** How a sound request is taken and answered. */
  answers: ['all', 'take_unanswered', 'take_500', 'lose', 'at_work', 'forbidden'],
  /** What becomes of the transfers that are taken from now on. */
  transfers: ['by_amount', ...namesIn(conducts)],
  /** Why they are refused, fail or come back. */
  reason: textLike('declined', /^[A-Za-z]{1,64}$/),
  funds: ['enough', 'none'],
  lists: ['answer', 'not_yet'],
  webhooks: [...notificationModes, 'before_reply', 'wrong_amount', 'forged'],
});

export type Faults = FaultsOf<typeof faultTable>;
export const { noFaults } = faultTable;

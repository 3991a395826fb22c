/** Faults of Freedom Pay that a test or demo can enable, in addition to those of every simulator. */
import { defineFaults, type FaultsOf, namesIn } from '../kernel/fault-table.ts';
import { NOTIFICATION_MODES } from '../kernel/notifier.ts';
import { CONDUCTS } from './cards.ts';

export const FAULT_TABLE = defineFaults({
  /** How the simulator accepts and responds to a valid payout. */
  payouts: [
    'by_amount',
    'accept',
    'accept_unanswered',
    'accept_500',
    'accept_and_answer_error',
    'notified_before_reply',
    'lose',
    'answer_error',
    'refuse',
    'not_activated',
  ],
  /** The outcome of accepted payouts. */
  outcomes: ['by_card', ...namesIn(CONDUCTS)],
  statuses: ['answer', 'not_yet', 'number_zero', 'answer_error'],
  /** The status word for a paid payout: from the documentation's example, or from its list. */
  wording: ['example', 'list'],
  /** How responses are signed. */
  signatures: ['right', 'wrong', 'none'],
  /** If true, the prefunded balance is empty. */
  empty: false,
  notifications: [...NOTIFICATION_MODES, 'wrong_amount', 'forged'],
  /** Whether the client is notified of failures. */
  notify_failures: false,
});

export type Faults = FaultsOf<typeof FAULT_TABLE>;
export const { noFaults } = FAULT_TABLE;

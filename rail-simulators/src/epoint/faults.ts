/** Faults of Epoint that a test or demo can enable, in addition to those of every simulator. */
import { defineFaults, type FaultsOf, namesIn, textLike } from '../kernel/fault-table.ts';
import { NOTIFICATION_MODES } from '../kernel/notifier.ts';
import { CONDUCTS, UNACCEPTED } from './conducts.ts';

export const FAULT_TABLE = defineFaults({
  payouts: ['by_amount', ...namesIn(CONDUCTS), ...UNACCEPTED],
  /** The reason for failed payouts: a bank's code, or none. */
  code: textLike('100', /^(?:[0-9A-Z]{3})?$/),
  /** The id by which get-status finds a payout. */
  status: ['by_either', 'by_transaction', 'server_error'],
  /** Callbacks for payouts. Registered cards always cause a notification. */
  callbacks: ['off', ...NOTIFICATION_MODES, 'wrong_amount', 'forged', 'multipart'],
});

export type Faults = FaultsOf<typeof FAULT_TABLE>;
export const { noFaults } = FAULT_TABLE;

/** The faults of Epoint that a test or a demonstration can switch on, in addition to those of every simulator. */
import { defineFaults, type FaultsOf, namesIn, textLike } from '../kernel/fault-table.ts';
import { notificationModes } from '../kernel/notifier.ts';
import { conducts, unaccepted } from './conducts.ts';

export const faultTable = defineFaults({
  payouts: ['by_amount', ...namesIn(conducts), ...unaccepted],
  /** The reason for failed payouts: a bank's code, or none. */
  code: textLike('100', /^(?:[0-9A-Z]{3})?$/),
  /** The id by which get-status finds a payout. */
  status: ['by_either', 'by_transaction', 'server_error'],
  /** Callbacks of payouts. Registered cards are always notified. */
  callbacks: ['off', ...notificationModes, 'wrong_amount', 'forged', 'multipart'],
});

export type Faults = FaultsOf<typeof faultTable>;
export const { noFaults } = faultTable;

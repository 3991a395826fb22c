/** Faults of STP that a test or demo can enable, in addition to those of every simulator. */
import { defineFaults, type FaultsOf } from '../kernel/fault-table.ts';

export const FAULT_TABLE = defineFaults({
  notifications: ['on', 'off', 'twice', 'late', 'out_of_order', 'wrong_amount'],
  /** The outcome of an order, and the response to its registration. */
  orders: [
    'settle',
    'cancel',
    'return',
    'return_notified',
    'stay',
    'settle_unanswered',
    'settle_500',
    'refuse',
    'lose',
  ],
  /** The vocabulary of state changes. Clients document two. */
  state_words: ['codes', 'words'],
});

export type Faults = FaultsOf<typeof FAULT_TABLE>;
export const { noFaults } = FAULT_TABLE;

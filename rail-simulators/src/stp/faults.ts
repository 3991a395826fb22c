/** The faults a test or a demonstration can switch on in STP, beside those of every simulator. */
import { defineFaults, type FaultsOf } from '../kernel/fault-table.ts';

export const faultTable = defineFaults({
  notifications: ['on', 'off', 'twice', 'late', 'out_of_order', 'wrong_amount'],
  /** What becomes of an order, and how its registration is answered. */
  orders: [
    ...(['settle', 'cancel', 'return', 'return_told', 'stay'] as const),
    ...(['settle_unanswered', 'settle_500', 'refuse', 'lose'] as const),
  ],
  /** Which of the two vocabularies that clients show a state change is told in. */
  state_words: ['codes', 'words'],
});

export type Faults = FaultsOf<typeof faultTable>;
export const { noFaults } = faultTable;

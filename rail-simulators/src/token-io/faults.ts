/** Faults of Token.io that a test or demo can enable, in addition to those of every simulator. */
import { defineFaults, type FaultsOf } from '../kernel/fault-table.ts';

/** How the simulator accepts and responds to a valid order. */
const ORDERS = ['accept', 'accept_unanswered', 'accept_500', 'lose', 'refuse', 'refuse_503', 'error_200'] as const;

export const FAULT_TABLE = defineFaults({
  webhooks: ['on', 'off', 'twice', 'late', 'out_of_order', 'wrong_amount', 'forged', 'foreign_key', 'foreign_member'],
  payments: [...ORDERS, 'refuse_bank', 'slow_bank', 'notified_before_reply'],
  refunds: ORDERS,
  /** The outcome of accepted refunds. */
  refund_outcome: ['completed', 'rejected', 'no_final_status'],
});

export type Faults = FaultsOf<typeof FAULT_TABLE>;
export const { noFaults } = FAULT_TABLE;

/** Faults of Adyen that a test or demo can enable, in addition to those of every simulator. */
import { countUpTo, defineFaults, type FaultsOf } from '../kernel/fault-table.ts';

const REQUESTS = countUpTo(1_000_000);

export const FAULT_TABLE = defineFaults({
  /** How many of the next API requests are processed without a response. */
  unanswered: REQUESTS,
  /** How many of the next API requests are processed and get a 500. */
  answer_500_after: REQUESTS,
  /** How many of the next API requests are neither processed nor get a response. */
  lost: REQUESTS,
  webhooks: ['on', 'off', 'twice', 'late', 'out_of_order', 'before_reply', 'wrong_amount', 'forged'],
  /** If false, the simulator does not capture an authorised payment. */
  captures: true,
  /** The outcome of a refund. */
  refunds: ['succeed', 'refuse', 'fail_later'],
});

export type Faults = FaultsOf<typeof FAULT_TABLE>;
export const { noFaults } = FAULT_TABLE;

/** The faults of Adyen that a test or a demonstration can switch on, in addition to those of every simulator. */
import { countUpTo, defineFaults, type FaultsOf } from '../kernel/fault-table.ts';

const REQUESTS = countUpTo(1_000_000);

export const FAULT_TABLE = defineFaults({
  /** The number of next API requests that are executed but get no response. */
  unanswered: REQUESTS,
  /** The number of next API requests that are executed but get a 500. */
  answer_500_after: REQUESTS,
  /** The number of next API requests that are neither executed nor get a response. */
  lost: REQUESTS,
  webhooks: ['on', 'off', 'twice', 'late', 'out_of_order', 'before_reply', 'wrong_amount', 'forged'],
  /** If false, the simulator does not capture an authorised payment. */
  captures: true,
  /** The outcome of a refund. */
  refunds: ['succeed', 'refuse', 'fail_later'],
});

export type Faults = FaultsOf<typeof FAULT_TABLE>;
export const { noFaults } = FAULT_TABLE;

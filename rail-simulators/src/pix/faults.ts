/** Faults of the bank that a test or demo can enable, in addition to those of every simulator. */
import { countUpTo, defineFaults, type FaultsOf } from '../kernel/fault-table.ts';

export const FAULT_TABLE = defineFaults({
  /** The outcome of a valid charge, and the response to its PUT. */
  charges: ['accept', 'accept_unanswered', 'accept_500', 'refuse', 'lose'],
  /** What a PUT does to an existing open charge. Some banks reject it. */
  repeated_charges: ['revise', 'refuse'],
  /** With `paid_first` and `paid_after`, a payer pays at the same moment. */
  removals: ['remove', 'remove_unanswered', 'paid_first', 'paid_after'],
  refunds: ['settle', 'fail', 'stay', 'settle_unanswered', 'settle_500', 'refuse', 'lose'],
  notifications: ['on', 'off', 'twice', 'late', 'out_of_order', 'batched', 'wrong_amount'],
  /** How a Pix shows its payer. */
  payer: ['full', 'masked', 'omitted'],
  /** Whether a charge contains `pixCopiaECola`. With `broken`, its check digits are wrong. */
  code: ['given', 'none', 'broken'],
  /** The delay until a received Pix appears in its charge. */
  listing_delay_ms: countUpTo(600_000),
});

export type Faults = FaultsOf<typeof FAULT_TABLE>;
export const { noFaults } = FAULT_TABLE;

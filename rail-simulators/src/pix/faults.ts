/** The faults a test or a demonstration can switch on in the bank, beside those of every simulator. */
import { countUpTo, defineFaults, type FaultsOf } from '../kernel/fault-table.ts';

export const faultTable = defineFaults({
  /** What becomes of a sound charge, and how its PUT is answered. */
  charges: ['take', 'take_unanswered', 'take_500', 'refuse', 'lose'],
  /** What a PUT does to a charge that is there and open; some banks refuse it. */
  repeated_charges: ['revise', 'refuse'],
  /** `paid_first`, `paid_after`: a payer pays at the very moment. */
  removals: ['remove', 'remove_unanswered', 'paid_first', 'paid_after'],
  refunds: ['settle', 'fail', 'stay', 'settle_unanswered', 'settle_500', 'refuse', 'lose'],
  notifications: ['on', 'off', 'twice', 'late', 'out_of_order', 'batched', 'wrong_amount'],
  /** Whether a Pix says who paid it. */
  payer: ['told', 'masked', 'not_told'],
  /** Whether a charge comes with its `pixCopiaECola`; a broken one has wrong check digits. */
  code: ['given', 'none', 'broken'],
  /** How long a Pix that came is not yet seen in its charge. */
  listing_delay_ms: countUpTo(600_000),
});

export type Faults = FaultsOf<typeof faultTable>;
export const { noFaults } = faultTable;

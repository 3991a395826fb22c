/** Faults of Visa that a test or demo can enable, in addition to those of every simulator. */
import { defineFaults, type FaultsOf, textLike } from '../kernel/fault-table.ts';

export const FAULT_TABLE = defineFaults({
  /** How the simulator accepts and responds to a valid push. */
  answers: ['all', 'accept_unanswered', 'accept_500', 'lose'],
  /**
   * When the push completes: before the response, or after Visa's timeout. In the latter case the response contains the
   * identifier of the result, in JSON or as plain text.
   */
  timing: ['at_once', 'late_json', 'late_text'],
  /** The result of pushes accepted from now on: `by_amount`, or two letters or digits. */
  action_code: textLike('by_amount', /^(?:by_amount|[A-Z0-9]{2})$/),
  /** Whether an approved push is reversed automatically. */
  reversals: ['none', 'later'],
  /** The validation result for the card's issuer. `restricted` fails. */
  validation: ['sound', 'restricted', 'broken'],
  queries: ['answer', 'not_yet', 'not_yet_404'],
  /** Whether unencrypted messages are accepted. */
  encryption: ['optional', 'required'],
});

export type Faults = FaultsOf<typeof FAULT_TABLE>;
export const { noFaults } = FAULT_TABLE;

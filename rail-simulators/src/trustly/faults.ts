/** Faults of Trustly that a test or demo can enable, in addition to those of every simulator. */
import { defineFaults, type FaultsOf } from '../kernel/fault-table.ts';

/** How the simulator accepts and responds to a valid call. */
const CALLS = ['accept', 'accept_unanswered', 'accept_500', 'lose', 'refuse', 'error_620', 'foreign_key'] as const;

export const FAULT_TABLE = defineFaults({
  notifications: ['on', 'off', 'credits_off', 'twice', 'late', 'out_of_order', 'wrong_amount', 'forged', 'foreign_key'],
  deposits: [...CALLS, 'paid_before_reply'],
  refunds: CALLS,
  /** The hash of Trustly's signatures. */
  hash: ['RS256', 'SHA1'],
  /** Whether a notification contains the payer's account. Trustly includes it only on request. */
  include_account: false,
});

export type Faults = FaultsOf<typeof FAULT_TABLE>;
export const { noFaults } = FAULT_TABLE;

/** The faults a test or a demonstration can switch on in Trustly, beside those of every simulator. */
import { defineFaults, type FaultsOf } from '../kernel/fault-table.ts';

/** How a call that is sound is taken and answered. */
const calls = ['take', 'take_unanswered', 'take_500', 'lose', 'refuse', 'error_620', 'foreign_key'] as const;

export const faultTable = defineFaults({
  notifications: [
    ...(['on', 'off', 'credits_off', 'twice', 'late', 'out_of_order'] as const),
    ...(['wrong_amount', 'forged', 'foreign_key'] as const),
  ],
  deposits: [...calls, 'paid_before_reply'],
  refunds: calls,
  /** By which hash Trustly signs. */
  hash: ['RS256', 'SHA1'],
  /** Whether the client is told from which account a payer paid; at Trustly only who asks for it is. */
  tell_account: false,
});

export type Faults = FaultsOf<typeof faultTable>;
export const { noFaults } = faultTable;

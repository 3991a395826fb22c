/** Faults of Mastercard that a test or demo can enable, in addition to those of every simulator. */
import { defineFaults, type FaultsOf, namesIn, textLike } from '../kernel/fault-table.ts';
import { WAYS } from './conducts.ts';

export const FAULT_TABLE = defineFaults({
  /** How the simulator accepts and responds to a valid disbursement. */
  answers: ['all', 'accept_unanswered', 'accept_500', 'accept_garbled', 'lose'],
  disbursements: ['by_amount', ...namesIn(WAYS)],
  /** The reason for declines. */
  network_code: textLike('05', /^[A-Z0-9]{0,2}$/),
  status_reason: textLike('DECLINED', /^[A-Z_]{1,32}$/),
  /** The field that the simulator reports as invalid. If empty, none. */
  invalid_source: textLike('', /^[a-z_.]{0,64}$/),
  /** If false, the simulator responds to a decline with 402, whatever the client requests. */
  decline_details: true,
  queries: ['answer', 'not_yet', 'empty'],
});

export type Faults = FaultsOf<typeof FAULT_TABLE>;
export const { noFaults } = FAULT_TABLE;

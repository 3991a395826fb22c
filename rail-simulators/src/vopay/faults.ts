/** Faults of VoPay that a test or demo can enable, in addition to those of every simulator. */
import { defineFaults, type FaultsOf, type Ranged } from '../kernel/fault-table.ts';

/** How the simulator accepts and responds to a valid request. */
const CALLS = [
  'accept',
  'accept_unanswered',
  'accept_500',
  'accept_and_answer_error',
  'lose',
  'answer_error',
  'refuse',
  'over_limit',
  'not_enabled',
] as const;

const MINUTES_OF_A_DAY: Ranged<number> = {
  start: 0,
  holds: (minutes) => Number.isInteger(minutes) && Math.abs(Number(minutes)) <= 1_440,
};

export const FAULT_TABLE = defineFaults({
  money_requests: [...CALLS, 'paid_before_reply', 'fail_at_once'],
  refunds: CALLS,
  payouts: [...CALLS, 'deposited_before_reply'],
  /** If true, the prefunded balance is empty. */
  empty: false,
  confirmations: CALLS,
  cancellations: ['accept', 'accept_unanswered', 'refuse', 'paid_first'],
  look_ups: ['answer', 'not_yet', 'answer_error'],
  /** The response to a repeated IdempotencyKey. */
  repetitions: ['replay', 'refuse', 'forget'],
  /** The status words of the documentation, or those of its event list. */
  wording: ['usual', 'events'],
  /** How many minutes VoPay's day is ahead of UTC. */
  day_shift_min: MINUTES_OF_A_DAY,
  /** Whether a failure contains its error number. */
  numbered: true,
  notifications: ['on', 'off', 'twice', 'late', 'out_of_order', 'wrong_amount', 'forged', 'foreign_reference'],
});

export type Faults = FaultsOf<typeof FAULT_TABLE>;
export const { noFaults } = FAULT_TABLE;

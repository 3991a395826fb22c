/** Faults of WayForPay that a test or demo can enable, in addition to those of every simulator. */
import { defineFaults, type FaultsOf, namesIn, type Ranged } from '../kernel/fault-table.ts';
import { NOTIFICATION_MODES } from '../kernel/notifier.ts';
import { CONDUCTS, UNACCEPTED } from './conducts.ts';
import { REASONS } from './reasons.ts';

const CODE: Ranged<number> = { start: 1139, holds: (value) => Number.isInteger(value) && REASONS.has(Number(value)) };

export const FAULT_TABLE = defineFaults({
  payouts: ['by_amount', ...namesIn(CONDUCTS), ...UNACCEPTED],
  /** If false, the simulator processes a repeated reference again. */
  dedupe: true,
  /** The reason for declines and rejections. */
  reason_code: CODE,
  /** The response to CHECK_STATUS. */
  status: ['answer', 'not_yet', 'answer_error'],
  callbacks: [...NOTIFICATION_MODES, 'wrong_amount', 'forged'],
  /** Whether messages about payouts have the payout signature that clients expect, or the signature of other orders. */
  signing: ['by_kind', 'general'],
});

export type Faults = FaultsOf<typeof FAULT_TABLE>;
export const { noFaults } = FAULT_TABLE;

/** The faults of WayForPay that a test or a demonstration can switch on, in addition to those of every simulator. */
import { defineFaults, type FaultsOf, namesIn, type Ranged } from '../kernel/fault-table.ts';
import { notificationModes } from '../kernel/notifier.ts';
import { conducts, unaccepted } from './conducts.ts';
import { reasons } from './reasons.ts';

const code: Ranged<number> = { start: 1139, holds: (value) => Number.isInteger(value) && reasons.has(Number(value)) };

export const faultTable = defineFaults({
  payouts: ['by_amount', ...namesIn(conducts), ...unaccepted],
  /** If false, the simulator carries out a repeated reference again. */
  dedupe: true,
  /** The reason for declines and rejections. */
  reason_code: code,
  /** The answer to CHECK_STATUS. */
  status: ['answer', 'not_yet', 'answer_error'],
  callbacks: [...notificationModes, 'wrong_amount', 'forged'],
  /** Whether messages about payouts have the payout signature that clients expect, or the signature of other orders. */
  signing: ['by_kind', 'general'],
});

export type Faults = FaultsOf<typeof faultTable>;
export const { noFaults } = faultTable;

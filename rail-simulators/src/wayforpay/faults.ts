/** The faults a test or a demonstration can switch on in WayForPay, beside those of every simulator. */
import { defineFaults, type FaultsOf, namesIn, type Ranged } from '../kernel/fault-table.ts';
import { notificationModes } from '../kernel/notifier.ts';
import { conducts, untaken } from './conducts.ts';
import { reasons } from './reasons.ts';

const code: Ranged<number> = { start: 1139, holds: (value) => Number.isInteger(value) && reasons.has(Number(value)) };

export const faultTable = defineFaults({
  payouts: ['by_amount', ...namesIn(conducts), ...untaken],
  /** False: a reference that comes again is carried out again. */
  dedupe: true,
  /** Why payouts are declined and refused. */
  reason_code: code,
  /** How CHECK_STATUS is answered. */
  status: ['answer', 'not_yet', 'say_no'],
  callbacks: [...notificationModes, 'wrong_amount', 'forged'],
  /** Whether what is said of payouts is signed as clients have it, or as of any other order. */
  signing: ['by_kind', 'general'],
});

export type Faults = FaultsOf<typeof faultTable>;
export const { noFaults } = faultTable;

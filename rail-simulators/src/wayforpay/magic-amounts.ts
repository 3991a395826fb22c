/** WayForPay's magic amounts: the outcome that the cents of an amount select. README.md has the same table. */
import { type FaultsOfOne, faultsByAmount, type MagicAmounts } from '../kernel/magic-amounts.ts';
import type { Faults } from './faults.ts';

export const MAGIC_AMOUNTS: MagicAmounts<FaultsOfOne<Faults, 'payouts'>> = {
  '40': { payouts: 'approve_later' },
  '41': { payouts: 'decline_later' },
  '42': { payouts: 'approve_later', callbacks: 'off' },
  '44': { payouts: 'approve_unanswered' },
  '45': { payouts: 'lose' },
  '50': { payouts: 'approve_500' },
  '51': { payouts: 'decline' },
  '52': { payouts: 'decline', reason_code: 1105 },
  '53': { payouts: 'decline', reason_code: 1135 },
  '60': { payouts: 'reverse_later' },
  '61': { payouts: 'approve_after_decline' },
  '62': { payouts: 'approve_notified_first' },
  '63': { payouts: 'approve_later', callbacks: 'twice_and_late' },
};

export const faultsOf = faultsByAmount<Faults, 'payouts'>('payouts', 'approve', MAGIC_AMOUNTS);

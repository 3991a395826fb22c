/** Epoint's magic amounts: the outcome that the cents of an amount select. README.md has the same table. */
import { type FaultsOfOne, faultsByAmount, type MagicAmounts } from '../kernel/magic-amounts.ts';
import type { Faults } from './faults.ts';

export const MAGIC_AMOUNTS: MagicAmounts<FaultsOfOne<Faults, 'payouts'>> = {
  '40': { payouts: 'pay_later' },
  '41': { payouts: 'fail_later', code: '100' },
  '42': { payouts: 'pay_later', callbacks: 'off' },
  '44': { payouts: 'pay_unanswered' },
  '45': { payouts: 'lose' },
  '50': { payouts: 'pay_500' },
  '51': { payouts: 'fail', code: '100' },
  '52': { payouts: 'fail', code: '111' },
  '53': { payouts: 'fail', code: '121' },
  '60': { payouts: 'return_later' },
  '62': { payouts: 'pay_notified_first', callbacks: 'on' },
  '63': { payouts: 'pay_later', callbacks: 'twice_and_late' },
};

export const faultsOf = faultsByAmount<Faults, 'payouts'>('payouts', 'pay', MAGIC_AMOUNTS);

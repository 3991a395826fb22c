/** Visa's magic amounts: the outcome that the cents of an amount select. README.md has the same table. */
import { type FaultsOfOne, faultsByAmount, type MagicAmounts } from '../kernel/magic-amounts.ts';
import type { Faults } from './faults.ts';

export const MAGIC_AMOUNTS: MagicAmounts<FaultsOfOne<Faults, 'action_code'>> = {
  '40': { timing: 'late_json' },
  '41': { timing: 'late_json', action_code: '05' },
  '42': { timing: 'late_json' },
  '44': { answers: 'accept_unanswered' },
  '45': { answers: 'lose' },
  '50': { answers: 'accept_500' },
  '51': { action_code: '05' },
  '52': { action_code: '14' },
  '53': { action_code: '61' },
  '60': { reversals: 'later' },
};

const byCents = faultsByAmount<Faults, 'action_code'>('action_code', '00', MAGIC_AMOUNTS);

/** Visa's amounts are numbers in major units: 10.40 may arrive as 10.4, and 40 has no cents. */
export function faultsOf(faults: Readonly<Faults>, amount: string): FaultsOfOne<Faults, 'action_code'> {
  const [, decimals = ''] = /\.(\d\d?)$/.exec(amount) ?? [];
  return byCents(faults, decimals.padEnd(2, '0'));
}

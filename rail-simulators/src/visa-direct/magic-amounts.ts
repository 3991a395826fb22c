/** What the cents of an amount pick at Visa, as a table. README.md of this folder has the same rows. */
import { type FaultsOfOne, faultsByAmount, type MagicAmounts } from '../provider-server/magic-amounts.ts';
import type { Faults } from './faults.ts';

const magicAmounts: MagicAmounts<FaultsOfOne<Faults, 'action_code'>> = {
  '40': { timing: 'late_json' },
  '41': { timing: 'late_json', action_code: '05' },
  '42': { timing: 'late_json' },
  '44': { answers: 'take_unanswered' },
  '45': { answers: 'lose' },
  '50': { answers: 'take_500' },
  '51': { action_code: '05' },
  '52': { action_code: '14' },
  '53': { action_code: '61' },
  '60': { reversals: 'later' },
};

const byMinorUnits = faultsByAmount<Faults, 'action_code'>('action_code', '00', magicAmounts);

/** Visa's amounts are in major units, and may come without decimals: only those with two have cents that pick something. */
export function faultsOf(faults: Readonly<Faults>, amount: string): FaultsOfOne<Faults, 'action_code'> {
  return byMinorUnits(faults, /\.(\d{2})$/.exec(amount)?.[1] ?? '');
}

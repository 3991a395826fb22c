/** Everything that can be measured, in the order in which it is. */
import { payoutFloor } from '../floors/payout-floor.ts';
import type { Bench, Findings } from '../measure/bench.ts';
import type { Results } from '../report/results.ts';
import { specimenOf } from '../specimen/specimen.ts';
import { measureAnswers } from './accept.ts';
import { measureConcurrency } from './concurrency.ts';
import { measureAbonos, measureCreate } from './deposits.ts';
import { measureCallbacks, measureDrain } from './drain.ts';
import { measureMerchants } from './merchants.ts';
import { measureOverload } from './overload.ts';
import { measureRates } from './rates.ts';

export interface Scenario {
  readonly name: string;
  readonly group: 'payouts' | 'deposits';
  /** Part of the few minutes that are measured where nothing is asked for. */
  readonly isUsual: boolean;
  readonly run: (bench: Bench, before: Results) => Promise<Findings>;
}

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'accept',
    group: 'payouts',
    isUsual: true,
    run: async (bench) => {
      const sqlFloor = payoutFloor((await specimenOf(bench.stage)).accepted);
      return measureAnswers(bench, { name: 'accept', subject: 'payout', sqlFloor });
    },
  },
  {
    name: 'drain',
    group: 'payouts',
    isUsual: true,
    run: (bench, before) => measureDrain(bench, acceptRate(before)),
  },
  { name: 'concurrency', group: 'payouts', isUsual: false, run: measureConcurrency },
  { name: 'rates', group: 'payouts', isUsual: false, run: measureRates },
  { name: 'overload', group: 'payouts', isUsual: false, run: measureOverload },
  { name: 'merchants', group: 'payouts', isUsual: false, run: measureMerchants },
  { name: 'callbacks', group: 'payouts', isUsual: true, run: measureCallbacks },
  { name: 'create', group: 'deposits', isUsual: true, run: measureCreate },
  { name: 'abonos', group: 'deposits', isUsual: true, run: measureAbonos },
];

function acceptRate({ scenarios }: Results): number | null {
  return scenarios['accept']?.figures?.['rate'] ?? null;
}

/** Those named, by themselves or by their group; undefined: a name is nobody's. */
export function chooseScenarios(only: readonly string[], full: boolean): readonly Scenario[] | undefined {
  if (only.length === 0) return SCENARIOS.filter(({ isUsual }) => isUsual || full);
  const isNamed = ({ name, group }: Scenario) => only.includes(name) || only.includes(group);
  const known = new Set<string>(SCENARIOS.flatMap(({ name, group }) => [name, group]));
  return only.every((name) => known.has(name)) ? SCENARIOS.filter(isNamed) : undefined;
}

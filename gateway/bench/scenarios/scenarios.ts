/** Everything that can be measured, in the order in which it is. */
import { payoutFloor } from '../floors/payout-floor.ts';
import type { Bench, Findings } from '../measure/bench.ts';
import type { Results } from '../report/results.ts';
import { specimenOf } from '../specimen/specimen.ts';
import { measureAnswers } from './accept.ts';
import { measureConcurrency } from './concurrency.ts';
import { measureAbonos, measureCreate } from './deposits.ts';
import { measureCallbacks, measureDrain } from './drain.ts';
import { measureGrowth } from './growth.ts';
import { measureMerchants } from './merchants.ts';
import { measureOverload } from './overload.ts';
import { measureRates } from './rates.ts';
import { measureMemory, measureSustained } from './sustained.ts';

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
    run: (bench, before) => measureDrain(bench, rateOf(before, 'accept')),
  },
  { name: 'concurrency', group: 'payouts', isUsual: false, run: measureConcurrency },
  { name: 'rates', group: 'payouts', isUsual: false, run: measureRates },
  { name: 'overload', group: 'payouts', isUsual: false, run: measureOverload },
  { name: 'merchants', group: 'payouts', isUsual: false, run: measureMerchants },
  {
    name: 'sustained',
    group: 'payouts',
    isUsual: false,
    run: (bench, before) => measureSustained(bench, rateOf(before, 'drain'), rateOf(before, 'accept')),
  },
  {
    name: 'memory',
    group: 'payouts',
    isUsual: false,
    run: (bench, before) => measureMemory(bench, rateOf(before, 'sustained')),
  },
  { name: 'callbacks', group: 'payouts', isUsual: true, run: measureCallbacks },
  { name: 'create', group: 'deposits', isUsual: true, run: measureCreate },
  { name: 'abonos', group: 'deposits', isUsual: true, run: measureAbonos },
  { name: 'growth', group: 'payouts', isUsual: false, run: measureGrowth },
];

function rateOf({ scenarios }: Results, name: string): number | null {
  return scenarios[name]?.figures?.['rate'] ?? null;
}

/** Those named, by themselves or by their group; undefined: a name is nobody's. */
export function chooseScenarios(only: readonly string[], full: boolean): readonly Scenario[] | undefined {
  if (only.length === 0) return SCENARIOS.filter(({ isUsual }) => isUsual || full);
  const isNamed = ({ name, group }: Scenario) => only.includes(name) || only.includes(group);
  const known = new Set<string>(SCENARIOS.flatMap(({ name, group }) => [name, group]));
  return only.every((name) => known.has(name)) ? SCENARIOS.filter(isNamed) : undefined;
}

/** All scenarios in their order of measurement. */
import { payoutFloor } from '../floors/payout-floor.ts';
import type { Bench, Findings } from '../measure/bench.ts';
import type { Results } from '../report/results.ts';
import { specimenOf } from '../specimen/specimen.ts';
import { measureAnswers } from './accept.ts';
import { measureCeilings } from './ceilings.ts';
import { measureConcurrency } from './concurrency.ts';
import { measureAbonos, measureCreate } from './deposits.ts';
import { measureCallbacks, measureDrainBesideFloor } from './drain.ts';
import { measureDrainCeilings } from './drain-ceilings.ts';
import { measureGrowth } from './growth.ts';
import { measureManage } from './manage.ts';
import { measureMerchants } from './merchants.ts';
import { measureOverload } from './overload.ts';
import { measureRates } from './rates.ts';
import { measureRecords } from './records.ts';
import { measureMemory, measureSustained } from './sustained.ts';

export interface Scenario {
  readonly name: string;
  /** The description on the benchmark page. */
  readonly about: string;
  readonly group: 'payouts' | 'deposits';
  /** If true, the scenario is part of the default run of a few minutes. */
  readonly isUsual: boolean;
  /** Begins with a new database: an earlier scenario may leave hundreds of thousands of payouts that nothing sent. */
  readonly startsEmpty?: boolean;
  readonly run: (bench: Bench, before: Results) => Promise<Findings>;
}

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'accept',
    about: 'Payouts acknowledged after their commit, beside all floors, 64 at once and one at a time.',
    group: 'payouts',
    isUsual: true,
    run: async (bench) => {
      const sqlFloor = payoutFloor((await specimenOf(bench.stage)).accepted);
      return measureAnswers(bench, { name: 'accept', subject: 'payout', sqlFloor });
    },
  },
  {
    name: 'ceilings',
    about:
      'The most that a server of this wire could accept: sockets alone, HTTP alone, one narrow row for each payout, and a payout’s own rows undecided, all committed like the gateway’s, beside the floors, the gateway, and a gateway with a process for each core.',
    group: 'payouts',
    isUsual: false,
    run: measureCeilings,
  },
  {
    name: 'drain',
    about:
      'A backlog with a worker, the banks and a receiver: from acceptance to the acknowledged callback. Only the bank’s notifications arrive meanwhile.',
    group: 'payouts',
    isUsual: true,
    startsEmpty: true,
    run: (bench, before) => measureDrainBesideFloor(bench, rateOf(before, 'accept')),
  },
  {
    name: 'drain-ceilings',
    about:
      'The most that a worker of this wire could drain: a narrow row for each job, posting and callback, committed like the gateway’s, with the same bank, notifications and receiver, and nothing decided.',
    group: 'payouts',
    isUsual: false,
    run: measureDrainCeilings,
  },
  {
    name: 'callbacks',
    about:
      'Callbacks that become due together, compared with the same requests without the gateway, and with the fixed floor.',
    group: 'payouts',
    isUsual: true,
    run: measureCallbacks,
  },
  {
    name: 'sustained',
    about:
      'Accept and drain together: the highest rate without a growing queue, found in short runs, then the largest part of it that holds for minutes.',
    group: 'payouts',
    isUsual: false,
    run: (bench, before) => measureSustained(bench, rateOf(before, 'drain')),
  },
  {
    name: 'memory',
    about: 'Three quarters of the sustained rate, for twice as long.',
    group: 'payouts',
    isUsual: false,
    run: (bench, before) => measureMemory(bench, rateOf(before, 'sustained')),
  },
  {
    name: 'create',
    about: 'Deposits by interbank transfer, created, beside all floors.',
    group: 'deposits',
    isUsual: true,
    run: measureCreate,
  },
  {
    name: 'abonos',
    about: 'From the payer’s money to the merchant’s callback, through one gateway in all roles.',
    group: 'deposits',
    isUsual: true,
    run: measureAbonos,
  },
  {
    name: 'concurrency',
    about: 'Closed loop with a rising number of concurrent requests.',
    group: 'payouts',
    isUsual: false,
    run: measureConcurrency,
  },
  {
    name: 'rates',
    about: 'Open loop at rising rates until p99 exceeds its limit or a backlog grows, then halving the interval.',
    group: 'payouts',
    isUsual: false,
    run: measureRates,
  },
  {
    name: 'overload',
    about: 'More load than the gateway can carry, over four thousand connections.',
    group: 'payouts',
    isUsual: false,
    run: measureOverload,
  },
  {
    name: 'merchants',
    about: 'One hot merchant against a thousand even ones, in turn, and ten thousand.',
    group: 'payouts',
    isUsual: false,
    run: measureMerchants,
  },
  {
    name: 'growth',
    about: 'Accept and drain with a rising number of stored payouts, each beside the SQL floor on the same tables.',
    group: 'payouts',
    isUsual: false,
    run: measureGrowth,
  },
  {
    name: 'manage',
    about:
      'The reads of the management API on tables of the largest size: lists, search, events, balances at a time, statements and one payout.',
    group: 'payouts',
    isUsual: false,
    run: measureManage,
  },
  {
    name: 'records',
    about:
      'Accept and drain with the request log, an audited action a second and the closing of hours, in turns with gateways without them.',
    group: 'payouts',
    isUsual: false,
    run: measureRecords,
  },
];

function rateOf({ scenarios }: Results, name: string): number | null {
  return scenarios[name]?.figures?.['rate'] ?? null;
}

/** Selects scenarios by name or group. Returns undefined if a name is unknown. */
export function chooseScenarios(only: readonly string[], full: boolean): readonly Scenario[] | undefined {
  if (only.length === 0) return SCENARIOS.filter(({ isUsual }) => isUsual || full);
  const isNamed = ({ name, group }: Scenario) => only.includes(name) || only.includes(group);
  const known = new Set<string>(SCENARIOS.flatMap(({ name, group }) => [name, group]));
  return only.every((name) => known.has(name)) ? SCENARIOS.filter(isNamed) : undefined;
}

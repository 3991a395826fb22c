import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { scaledCpu, unsteadiness } from '../measure/probes.ts';
import { PLOTS } from '../plots/plots.ts';
import { TARGETS } from '../scenarios/limits.ts';
import { SCENARIOS } from '../scenarios/scenarios.ts';
import { renderPage } from './page.ts';
import { type Machine, type Results, readResults, type ScenarioResult } from './results.ts';
import { reportFiles } from './write-report.ts';

const FOLDER = path.join(import.meta.dirname, '../../../docs/benchmarks');

test('the page and plots in docs/benchmarks match their results; npm run bench:page rewrites them', () => {
  const files = reportFiles(readResults(FOLDER));
  for (const [name, text] of files) assert.equal(readFileSync(path.join(FOLDER, name), 'utf8'), text, name);
  const stray = readdirSync(FOLDER).filter(
    (name) => !['results.json', 'simulation.md'].includes(name) && !files.has(name),
  );
  assert.deepEqual(stray, [], 'pictures that nothing was measured for');
});

const MACHINE: Machine = {
  cores: 2,
  model: 'a processor',
  memoryBytes: 2 ** 34,
  system: 'linux 6',
  node: 'v24',
  postgres: '18',
  settings: { fsync: 'on' },
  commit: 'abc',
};

function resultOf(name: string, findings: Partial<ScenarioResult>): ScenarioResult {
  const options = { seconds: 6, minutes: 5, rate: null, rows: [1] };
  return {
    name,
    at: '2026-01-02T03:04:05.000Z',
    tookSeconds: 9,
    options,
    machine: MACHINE,
    rows: [],
    broken: [],
    ...findings,
  };
}

function pageOf(...measured: ScenarioResult[]): string {
  const results: Results = { scenarios: Object.fromEntries(measured.map((one) => [one.name, one])) };
  return renderPage(results);
}

test('the benchmark page shows for each target whether it was met, or that it was not measured', () => {
  const page = pageOf(resultOf('accept', { figures: { ofSqlFloor: 1.47, p99Ms: 31 } }));
  assert.match(page, /\| Accept, of the SQL floor \| at least 1\.35 × \| 1\.47 × \| met \|/);
  assert.match(page, /\| Accept, p99 of 64 at once \| at most 18 ms \| 31 ms \| not met \|/);
  assert.match(page, /\| Goodput at three times the peak \| at least 0\.95 × \| not measured \|/);
});

test('the benchmark page calls a target out of reach only if an experiment with less work also misses it', () => {
  const accept = resultOf('accept', { figures: { ofFixedFloor: 0.43, ofSqlFloor: 1.26, p99Ms: 17 } });
  const narrow = { ofFixedFloorOfNarrowRow: 0.95, ofSqlFloorOfNarrowRow: 1.5, p99MsOfNarrowRow: 19 };
  const own = { ofFixedFloorOfOwnRows: 0.61, ofSqlFloorOfOwnRows: 1.4, p99MsOfOwnRows: 20 };
  const page = pageOf(accept, resultOf('ceilings', { figures: { ...narrow, ...own } }));
  const wanted = 'out of reach: 0.61 × with the same rows and no decision ([ceilings](#ceilings))';
  assert.ok(page.includes(`| Accept, of the fixed floor | at least 0.9 × | 0.43 × | ${wanted} |`));
  assert.match(page, /\| Accept, of the SQL floor \| at least 1\.35 × \| 1\.26 × \| not met \|/);
  assert.match(page, /\| Accept, p99 of 64 at once \| at most 18 ms \| 17 ms \| met \|/);
  assert.match(pageOf(accept), /\| Accept, of the fixed floor \| at least 0\.9 × \| 0\.43 × \| not met \|/);
});

test('the benchmark page shows the probes of a scenario, and its targets by the scaled CPU time', () => {
  const probes = [
    { workMs: 56, cpuMs: 55, commitMs: 0.3 },
    { workMs: 112, cpuMs: 110, commitMs: 0.31 },
  ];
  const page = pageOf(resultOf('accept', { figures: { scaledCpuMicros: scaledCpu(200, probes.slice(1)) }, probes }));
  assert.match(page, /Probes: work 56\.0 ms \(CPU 55\.0 ms\), commit 0\.300 ms; work 112\.0 ms/);
  assert.match(page, /\| at most 115 µs \| 87\.27 µs \| met \|/);
  assert.equal(unsteadiness(probes), 'the work probe differed by 67 %');
  assert.equal(unsteadiness(probes.slice(1)), undefined);
});

test('the benchmark page shows the machine, and broken invariants', () => {
  const page = pageOf(resultOf('drain', { broken: [{ name: 'debits_equal_credits' }] }));
  assert.match(page, /\| 2026-01-02 \| drain \| 2 \| a processor \| 16 GiB \|.*fsync on \| abc \|/);
  assert.match(page, /\*\*Invariants were broken afterwards\.\*\*/);
});

test('each plot and each target belongs to an existing scenario', () => {
  const names = new Set(SCENARIOS.map(({ name }) => name));
  assert.deepEqual(
    [...PLOTS, ...TARGETS, ...TARGETS.flatMap(({ ceilings = [] }) => ceilings)].filter(
      ({ scenario }) => !names.has(scenario),
    ),
    [],
  );
});

test('each measured scenario in docs/benchmarks has the figures of its targets and the curves of its plots', () => {
  const { scenarios } = readResults(FOLDER);
  const wanted = TARGETS.flatMap((target) => [target, ...(target.ceilings ?? [])]);
  assert.deepEqual(
    wanted.filter(
      ({ scenario, figure }) => scenarios[scenario]?.probes && scenarios[scenario].figures?.[figure] === undefined,
    ),
    [],
  );
  assert.deepEqual(
    PLOTS.filter(({ scenario, curve }) => scenarios[scenario] && !scenarios[scenario].curves?.[curve]),
    [],
  );
});

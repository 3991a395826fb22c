/**
 * The result file of a benchmark: each scenario with its time and machine. Scenarios are stored separately, so that one can be
 * measured again.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import path from 'node:path';
import type { BenchOptions, Findings } from '../measure/bench.ts';
import type { Probe } from '../measure/probes.ts';
import type { Stage } from '../stage/stage.ts';

export interface ScenarioResult extends Findings {
  readonly name: string;
  /** The start time in UTC. */
  readonly at: string;
  /** The duration in seconds, including preparation. */
  readonly tookSeconds: number;
  readonly options: BenchOptions;
  readonly machine: Machine;
  /** The probes before and after the scenario. Absent in results from before the probes existed. */
  readonly probes?: readonly Probe[];
  /** The ledger invariants that did not hold after the scenario. */
  readonly broken: readonly object[];
}

export interface Machine {
  readonly cores: number;
  readonly model: string;
  readonly memoryBytes: number;
  readonly system: string;
  readonly node: string;
  readonly postgres: string;
  /** The database settings that affect speed and durability. */
  readonly settings: Readonly<Record<string, string>>;
  readonly commit: string;
}

export interface Results {
  readonly scenarios: Readonly<Record<string, ScenarioResult>>;
}

const SETTINGS = [
  'fsync',
  'synchronous_commit',
  'full_page_writes',
  'wal_level',
  'shared_buffers',
  'min_wal_size',
  'max_wal_size',
  'checkpoint_timeout',
  'max_connections',
  'autovacuum',
];

export async function describeMachine({ admin }: Stage, commit: string): Promise<Machine> {
  const rows = await admin.query<{ name: string; setting: string }>(
    `select name, current_setting(name) as setting from pg_settings where name = any ($1) or name = 'server_version' order by name`,
    [SETTINGS],
  );
  const settings = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
  const { server_version: postgres = '', ...rest } = settings;
  return {
    cores: availableParallelism(),
    model: cpus()[0]?.model ?? '',
    memoryBytes: totalmem(),
    system: `${process.platform} ${release()}`,
    node: process.version,
    postgres,
    settings: rest,
    commit,
  };
}

const FILE = 'results.json';

/** Returns empty results if the folder contains no result file. */
export function readResults(folder: string): Results {
  try {
    return JSON.parse(readFileSync(path.join(folder, FILE), 'utf8')) as Results;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { scenarios: {} };
    throw error;
  }
}

/** True if the scenario was measured at the same commit, on the same machine and with the same options. */
export function isMeasured({ scenarios }: Results, name: string, machine: Machine, options: BenchOptions): boolean {
  const found = scenarios[name];
  const same = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other);
  return found !== undefined && same(found.machine, machine) && same(found.options, options);
}

/** Adds the scenario or replaces its earlier result. */
export function addResult(results: Results, scenario: ScenarioResult): Results {
  return { scenarios: { ...results.scenarios, [scenario.name]: scenario } };
}

export function writeResults(folder: string, results: Results): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, FILE), `${JSON.stringify(results, roundedNumbers, 2)}\n`);
}

/** No figure is more precise than six digits. */
function roundedNumbers(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value;
}

/**
 * Two probes of the machine: a fixed calculation on every core, and commits of one narrow row. They show whether the machine
 * was as fast at the end of a measurement as at its start. They use no code of the gateway.
 */
import { type ScryptOptions, scrypt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { monotonicMs } from '../load/monotonic-clock.ts';
import type { AdminClient } from '../stage/admin-client.ts';
import { medianOf, spreadOf } from './statistics.ts';

export interface Probe {
  /** The elapsed time of the calculation, on every core at once. Other programs increase it. */
  readonly workMs: number;
  /** The CPU time of the same calculation, per core. */
  readonly cpuMs: number;
  /** The duration of one commit. */
  readonly commitMs: number;
}

/** The lowest CPU time of the calculation on the class of machine for which the targets were set. */
const REFERENCE_CPU_MS = 48;
const CPU_RUNS = 9;
const COMMITS = 200;
/** If the probes spread more than this around their median, the run measured the machine, not the gateway. */
const MOST_SPREAD = 0.1;

const work = promisify<string, string, number, ScryptOptions, Buffer>(scrypt);
/** Uses 16 MB of memory as well, so that it notices other programs in the CPU caches. */
const fixedWork = () => work('probe', 'of the machine', 32, { N: 2 ** 14, r: 8, p: 2 });

export async function probeMachine(admin: AdminClient): Promise<Probe> {
  const cores = Array.from({ length: availableParallelism() });
  const cpuBefore = process.cpuUsage();
  const workMs = await medianTime(CPU_RUNS, () => Promise.all(cores.map(fixedWork)));
  const cpu = process.cpuUsage(cpuBefore);
  const cpuMs = (cpu.user + cpu.system) / 1_000 / CPU_RUNS / cores.length;
  await admin.query('create schema if not exists bench');
  await admin.query('create table if not exists bench.probe (number integer)');
  const commitMs = await medianTime(COMMITS, (run) => admin.query('insert into bench.probe values ($1)', [run]));
  await admin.query('truncate bench.probe');
  return { workMs, cpuMs, commitMs };
}

/** Converts a CPU time to the machine for which the targets were set. */
export function scaledCpu(micros: number, probes: readonly Probe[]): number {
  return (micros * REFERENCE_CPU_MS) / medianOf(probes.map(({ cpuMs }) => cpuMs));
}

/** Returns the reason not to publish the results of a run with these probes, or undefined if the machine was steady. */
export function unsteadiness(probes: readonly Probe[]): string | undefined {
  const spreads = {
    'work probe': spreadOf(probes.map(({ workMs }) => workMs)),
    'commit probe': spreadOf(probes.map(({ commitMs }) => commitMs)),
  };
  const drifted = Object.entries(spreads).filter(([, spread]) => spread > MOST_SPREAD);
  if (drifted.length === 0) return undefined;
  return drifted.map(([name, spread]) => `the ${name} differed by ${Math.round(spread * 100)} %`).join(', ');
}

export function probeText({ workMs, cpuMs, commitMs }: Probe): string {
  return `work ${workMs.toFixed(1)} ms (CPU ${cpuMs.toFixed(1)} ms), commit ${commitMs.toFixed(3)} ms`;
}

async function medianTime(runs: number, run: (number: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let number = 0; number < runs; number++) {
    const startedAt = monotonicMs();
    await run(number);
    times.push(monotonicMs() - startedAt);
  }
  return medianOf(times);
}

/**
 * `npm run bench`: measures the throughput of this machine, as ratios to floors of the same run. docs/benchmarks describes the
 * method. Exits with code 1 if a scenario fails or the books do not balance after it.
 */
import { execFileSync } from 'node:child_process';
import { systemClock } from '../src/foundation/clock.ts';
import { readCommandLine } from './bench-options.ts';
import { monotonicMs } from './load/monotonic-clock.ts';
import type { Bench, Findings } from './measure/bench.ts';
import { type Probe, probeMachine, probeText, scaledCpu, unsteadiness } from './measure/probes.ts';
import { checkpoint } from './measure/usage.ts';
import {
  addResult,
  describeMachine,
  isMeasured,
  type Machine,
  type Results,
  readResults,
  type ScenarioResult,
} from './report/results.ts';
import { terminalReport } from './report/terminal.ts';
import { writeReport } from './report/write-report.ts';
import { chooseScenarios, SCENARIOS, type Scenario } from './scenarios/scenarios.ts';
import { MERCHANTS, prepareMerchants } from './stage/bench-merchants.ts';
import { openStage, type Stage } from './stage/stage.ts';

const read = readCommandLine(process.argv.slice(2));
if (!read.ok) refuseArguments(read.error);
const { only, full, json, resume, plots, keep, ...options } = read.value;
const chosen = chooseScenarios(only, full);
if (!chosen) refuseArguments(`--only accepts payouts, deposits, ${SCENARIOS.map(({ name }) => name).join(', ')}`);

const benchStartedAt = monotonicMs();
let opening = openPreparedStage();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void endEarly());
await opening;
try {
  process.exitCode = (await runAll(chosen)) ? 0 : 1;
} finally {
  await (await opening).close();
}

/** Resolves to true if every scenario completed and the books balance. */
async function runAll(scenarios: readonly Scenario[]): Promise<boolean> {
  const machine = await describeMachine(await opening, commitOfCode());
  // Ratios use floors of the same run. Only a resumed run loads earlier results.
  let measured: Results = resume && plots !== null ? readResults(plots) : { scenarios: {} };
  let isWell = true;
  const probes: Probe[] = [];
  for (const scenario of scenarios) {
    if (resume && isMeasured(measured, scenario.name, machine, options)) continue;
    if (scenario.startsEmpty && scenario !== scenarios[0]) await replaceStage();
    const result = await runScenario(scenario, machine, measured);
    isWell &&= result !== undefined && result.broken.length === 0;
    if (!result) continue;
    measured = addResult(measured, result);
    if (!json) process.stdout.write(terminalReport(result));
    probes.push(...(result.probes ?? []));
    const drift = unsteadiness(probes);
    if (drift !== undefined) reportDrift(scenario.name, drift);
    else if (plots !== null) writeReport(plots, addResult(readResults(plots), result));
    isWell &&= plots === null || drift === undefined;
  }
  if (json) process.stdout.write(`${JSON.stringify(measured, null, 2)}\n`);
  return isWell;
}

async function openPreparedStage(): Promise<Stage> {
  const stage = await openStage(keep);
  try {
    await prepareMerchants(stage.gateway, stage.receiverUrl.href, MERCHANTS);
    return stage;
  } catch (error) {
    await stage.close();
    throw error;
  }
}

/** Replaces the database by a new one. A kept database stays. */
async function replaceStage(): Promise<void> {
  if (keep !== null) return;
  await (await opening).close();
  opening = openPreparedStage();
  await opening;
}

/** Returns undefined if the scenario failed. The remaining scenarios still run. */
async function runScenario(scenario: Scenario, machine: Machine, before: Results): Promise<ScenarioResult | undefined> {
  const { name, run } = scenario;
  const at = new Date(systemClock.now()).toISOString();
  const began = monotonicMs();
  const stage = await opening;
  const bench: Bench = { stage, ...options, onProgress };
  try {
    await checkpoint(stage);
    const probeBefore = await probeMachine(stage.admin);
    onProgress(`${name}: probes: ${probeText(probeBefore)}`);
    const findings = await run(bench, before);
    const probes = [probeBefore, await probeMachine(stage.admin)];
    onProgress(`${name}: the invariants`);
    const broken = (await stage.gateway.operations.books.verify()).filter(({ holds }) => !holds);
    const tookSeconds = Math.round((monotonicMs() - began) / 1_000);
    return { name, at, tookSeconds, options, machine, ...findings, ...scaled(findings, probes), probes, broken };
  } catch (error) {
    process.stderr.write(`${name} failed: ${error instanceof Error ? error.stack : String(error)}\n`);
    await Promise.all([...stage.running].map((staged) => staged.stop()));
    return undefined;
  }
}

/** Converts the CPU figures to the machine for which the targets were set. */
function scaled({ figures = {} }: Findings, probes: readonly Probe[]): Pick<Findings, 'figures'> {
  const added = Object.entries(figures).filter(([name]) => /cpuMicros/i.test(name));
  const nameOf = (name: string) => `scaled${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
  return {
    figures: {
      ...figures,
      ...Object.fromEntries(added.map(([name, micros]) => [nameOf(name), scaledCpu(micros, probes)])),
    },
  };
}

function reportDrift(name: string, drift: string): void {
  const refused = plots === null ? '' : ' The page keeps its former figures.';
  process.stderr.write(`The machine was not steady (${drift}). Measure ${name} again on a quiet machine.${refused}\n`);
}

/** Saves the results so far, and ends all processes and temporary databases. */
async function endEarly(): Promise<void> {
  await (await opening).close();
  process.exit(130);
}

function onProgress(line: string): void {
  const seconds = Math.round((monotonicMs() - benchStartedAt) / 1_000);
  process.stderr.write(`${String(seconds).padStart(5)} s  ${line}\n`);
}

function commitOfCode(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  try {
    const isChanged = git('status', '--porcelain', '--', '../src') !== '';
    return `${git('rev-parse', '--short', 'HEAD')}${isChanged ? ' with changes' : ''}`;
  } catch {
    return 'unknown';
  }
}

function refuseArguments(fault: string): never {
  console.error(fault);
  process.exit(2);
}

/**
 * `npm run bench`: what this machine carries, as ratios to floors measured in the same run. docs/benchmarks says what
 * each scenario is. It ends with exit code 1 when the books do not hold after a scenario.
 */
import { execFileSync } from 'node:child_process';
import { type CommandLine, readCommandLine } from './bench-options.ts';
import { monotonicMs } from './load/monotonic-clock.ts';
import type { Bench } from './measure/bench.ts';
import {
  addResult,
  describeMachine,
  type Machine,
  type Results,
  readResults,
  type ScenarioResult,
  startedAt,
  writeResults,
} from './report/results.ts';
import { terminalReport } from './report/terminal.ts';
import { chooseScenarios, SCENARIOS, type Scenario } from './scenarios/scenarios.ts';
import { MERCHANTS, prepareMerchants } from './stage/bench-merchants.ts';
import { openStage, type Stage } from './stage/stage.ts';

const read = readCommandLine(process.argv.slice(2));
if (!read.ok) refuseArguments(read.error);
const options = read.value;
const chosen = chooseScenarios(options.only, options.full);
if (!chosen) refuseArguments(`--only accepts payouts, deposits, ${SCENARIOS.map(({ name }) => name).join(', ')}`);

const benchStartedAt = monotonicMs();
const stage = await openStage(options.keep);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void endEarly());
try {
  await prepareMerchants(stage.gateway, stage.receiverUrl.href, MERCHANTS);
  const machine = await describeMachine(stage, commitOfCode());
  let measured: Results = { scenarios: {} };
  for (const scenario of chosen) {
    const result = await runScenario(scenario, machine, measured);
    measured = addResult(measured, result);
    keep(options, result);
    if (!options.json) process.stdout.write(terminalReport(result));
  }
  if (options.json) process.stdout.write(`${JSON.stringify(measured, null, 2)}\n`);
  process.exitCode = Object.values(measured.scenarios).every(({ broken }) => broken.length === 0) ? 0 : 1;
} finally {
  await stage.close();
}

/** Whatever was measured so far is kept; the database and the processes are not left behind. */
async function endEarly(): Promise<void> {
  await stage.close();
  process.exit(130);
}

async function runScenario(scenario: Scenario, machine: Machine, before: Results): Promise<ScenarioResult> {
  const { name, run } = scenario;
  const { seconds, minutes, rate, rows } = options;
  const at = startedAt();
  const began = monotonicMs();
  const bench: Bench = { stage, seconds, minutes, rate, rows, onProgress };
  const findings = await run(bench, before);
  onProgress(`${name}: the invariants`);
  const broken = await brokenInvariants(stage);
  const tookSeconds = Math.round((monotonicMs() - began) / 1_000);
  return { name, at, tookSeconds, options: { seconds, minutes, rate, rows }, machine, ...findings, broken };
}

/** What was measured before it, and in other runs, stays. */
function keep({ plots }: CommandLine, result: ScenarioResult): void {
  if (plots !== null) writeResults(plots, addResult(readResults(plots), result));
}

async function brokenInvariants({ gateway }: Stage) {
  return (await gateway.operations.verify()).filter(({ holds }) => !holds);
}

function onProgress(line: string): void {
  const seconds = Math.round((monotonicMs() - benchStartedAt) / 1_000);
  process.stderr.write(`${String(seconds).padStart(5)} s  ${line}\n`);
}

function commitOfCode(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
  try {
    return (
      git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain', '--', '../src') === '' ? '' : ' with changes')
    );
  } catch {
    return 'unknown';
  }
}

function refuseArguments(fault: string): never {
  console.error(fault);
  process.exit(2);
}

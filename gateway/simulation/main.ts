/**
 * `npm run simulate`: runs the gateway through simulated time on a temporary PostgreSQL.
 * - `--seed N --days D` runs one seed; `--seeds K` runs K seeds from N on, `--processes P` of them at a time; `--minutes M`
 *   begins none after that time. `--log FILE` adds a line for each seed, and prints the totals of all lines.
 * - `--regime sparse` runs many quiet years, `--regime dense` many payments at a time. `--scale S` runs that part of their
 *   payments.
 * - `--rejection-stalls 0.9` stalls processes at more rejections of a bank.
 * - `--course FILE` writes each step of one seed or plan, so that two runs can be compared.
 * - `--shrink` makes the plan of a failing seed shorter and prints it; `--plan FILE` runs such a plan.
 * - `--planted` plants bugs into copies of the source and looks for them; `--only WORD` selects some.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { beginTestRun } from '../test/run/test-run.ts';
import { startTestServer } from '../test/run/test-server.ts';
import { huntPlantedBugs } from './planted/hunt-planted.ts';
import { drawPlan, isRegime, type Plan } from './run/plan.ts';
import { playSeeds } from './run/play-seeds.ts';
import { totalsOf } from './run/run-log.ts';
import { runPlan } from './run/run-plan.ts';
import type { RunResult } from './run/run-result.ts';
import { shrinkPlan } from './run/shrink.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    seeds: { type: 'string', default: '1' },
    days: { type: 'string', default: '365' },
    scale: { type: 'string', default: '1' },
    regime: { type: 'string', default: 'mixed' },
    'rejection-stalls': { type: 'string' },
    minutes: { type: 'string', default: 'Infinity' },
    processes: { type: 'string', default: '1' },
    log: { type: 'string' },
    'until-failure': { type: 'boolean', default: false },
    shrink: { type: 'boolean', default: false },
    plan: { type: 'string' },
    course: { type: 'string' },
    planted: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
});

const MOST_TRIALS = 80;
const SHOWN_VIOLATIONS = 20;

function lineOf(result: RunResult): string {
  const { seed, violations, payments, formPayments, refunds, chargebacks, days, turns, jumps, waits, wallMs, trace } =
    result;
  const perSecond = Math.round(payments / (wallMs / 1_000));
  const work = `${turns} turns, ${jumps} jumps, ${waits} lock waits`;
  const end = violations.length === 0 ? 'holds' : `${violations.length} VIOLATIONS`;
  return `seed ${seed}: ${end}; ${payments} payments in ${days} days, of them ${formPayments} on the form, with ${refunds} refunds and ${chargebacks} chargebacks, ${work}, ${Math.round(wallMs / 1_000)} s (${perSecond}/s), trace ${trace}`;
}

function print(result: RunResult): void {
  console.log(lineOf(result));
  for (const violation of result.violations.slice(0, SHOWN_VIOLATIONS)) console.log(`  ${violation}`);
  if (result.violations.length > 0) process.exitCode = 1;
}

async function play(plan: Plan): Promise<void> {
  const steps: string[] = [];
  print(await runPlan(plan, values.course === undefined ? {} : { onStep: (step) => void steps.push(step) }));
  if (values.course !== undefined) await writeFile(values.course, `${steps.join('\n')}\n`);
}

async function shrink(plan: Plan): Promise<void> {
  const fails = async (shorter: Plan) => (await runPlan(shorter)).violations.length > 0;
  const sizeOf = ({ episodes }: Plan) => episodes.flatMap(({ operations }) => operations).length;
  const onShorter = (shorter: Plan) => console.log(`still fails with ${sizeOf(shorter)} operations`);
  const least = await shrinkPlan(plan, fails, { trials: MOST_TRIALS, onShorter });
  print(await runPlan(least));
  console.log(JSON.stringify(least));
}

async function playDrawn(): Promise<void> {
  const { log } = values;
  const { regime } = values;
  if (!isRegime(regime)) throw new Error(`--regime is mixed, sparse, dense or bulk, not ${regime}`);
  const { 'rejection-stalls': stalls } = values;
  const rejectionStalls = stalls === undefined ? undefined : Number(stalls);
  const drawn = { days: Number(values.days), scale: Number(values.scale), regime, rejectionStalls };
  const draw = (seed: string) => drawPlan(seed, drawn.days, drawn.scale, regime, rejectionStalls);
  if (values.course !== undefined) return play(draw(values.seed));
  const failed = await playSeeds({
    ...drawn,
    first: Number(values.seed),
    count: Number(values.seeds),
    minutes: Number(values.minutes),
    processes: Math.min(Number(values.processes), Number(values.seeds)),
    untilFailure: values['until-failure'],
    interrupted: interruption.signal,
    log,
    onEnded: print,
    onSum: (line) => console.log(line),
  });
  if (log !== undefined) console.log(totalsOf(log));
  if (values.shrink) for (const seed of failed) await shrink(draw(seed));
}

async function main(): Promise<void> {
  await startTestServer(testRun.folder);
  if (values.plan === undefined) return playDrawn();
  const plan = JSON.parse(await readFile(values.plan, 'utf8')) as Plan;
  if (values.shrink) await shrink(plan);
  else await play(plan);
}

const interruption = new AbortController();
const testRun = await beginTestRun();
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.once(signal, () => {
    interruption.abort();
    void testRun.end().then(() => process.exit(code));
  });
try {
  if (values.planted) {
    const minutes = Math.min(Number(values.minutes), 10);
    const isFound = await huntPlantedBugs({
      days: Math.min(Number(values.days), 8),
      scale: values.scale,
      minutes,
      only: values.only,
    });
    process.exitCode = isFound ? 0 : 1;
  } else await main();
} finally {
  await testRun.end();
}

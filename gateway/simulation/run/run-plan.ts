/** Runs a plan: all its episodes on a separate database, with checks at each quiet moment. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRestorableDatabase, type RestorableDatabase } from '../database/restorable-database.ts';
import { stopAutovacuum } from '../database/stop-autovacuum.ts';
import { watchBalanceLocks } from '../judges/balance-locks.ts';
import type { Plan } from './plan.ts';
import { Run } from './run.ts';
import type { Progress, RunResult } from './run-result.ts';
import { RunStalled, watchProgress } from './stall-watch.ts';

/** Checks of entire tables run whenever the number of payments has grown by this factor, and at the end. */
const JUDGED_WHOLE_AT_GROWTH = 2;

interface RunListeners {
  /** Called at each quiet moment. */
  readonly onQuiet?: (progress: Progress) => void;
  /** Called with each step of the event sequence. */
  readonly onStep?: (step: string) => void;
}

export async function runPlan(plan: Plan, { onQuiet = () => {}, onStep }: RunListeners = {}): Promise<RunResult> {
  const begunAt = performance.now();
  const database = await createRestorableDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'simulation-'));
  const run = new Run(plan, database, folder);
  const { world, violations } = run;
  if (onStep) world.onStep = onStep;
  const watch = watchProgress({ steps: () => run.steps(), now: world.now, ...describers(run, database) });
  let isStalled = false;
  try {
    await Promise.race([playAll(run, plan, database, onQuiet), watch.stalled]);
    return {
      ...{ seed: plan.seed, violations, ...run.progress(), ...world.counts, waits: world.waits() },
      ...{ trace: world.trace(), wallMs: performance.now() - begunAt },
    };
  } catch (error) {
    isStalled = error instanceof RunStalled;
    // An error while the database closes would hide this one.
    console.error(error);
    throw error;
  } finally {
    watch.end();
    await rm(folder, { recursive: true });
    // A stalled run never releases its connections.
    if (!isStalled) await database.close();
  }
}

async function playAll(
  run: Run,
  { episodes }: Plan,
  { admin }: RestorableDatabase,
  onQuiet: (progress: Progress) => void,
): Promise<void> {
  await stopAutovacuum(admin);
  await watchBalanceLocks(admin);
  await run.begin();
  let judgedWhole = 0;
  for (const episode of episodes) {
    await run.play(episode);
    const { payments } = run.progress();
    const isWhole = episode === episodes.at(-1) || payments >= judgedWhole * JUDGED_WHOLE_AT_GROWTH;
    if (isWhole) judgedWhole = payments;
    if (isWhole) await admin.query('vacuum (analyze)');
    await run.judge(isWhole);
    onQuiet(run.progress());
    if (run.violations.length > 0) break;
  }
  await run.end();
}

function describers({ world }: Run, { openWork }: RestorableDatabase) {
  return {
    async isComputing() {
      const works = await openWork();
      return works.some(({ state, waitsFor }) => state === 'active' && !/^(?:Lock|Client)/.test(waitsFor ?? ''));
    },
    async describe() {
      const works = await openWork().then(JSON.stringify, String);
      return `${world.describe()}; open at PostgreSQL: ${works}; this process waits for ${process.getActiveResourcesInfo().join(' ')}`;
    },
  };
}

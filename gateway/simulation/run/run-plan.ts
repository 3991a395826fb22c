/** Plays a plan: all its episodes on a database of its own, judged at each quiet moment. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRestorableDatabase } from '../database/restorable-database.ts';
import { stopAutovacuum } from '../database/stop-autovacuum.ts';
import type { Plan } from './plan.ts';
import { Run } from './run.ts';
import type { Progress, RunResult } from './run-result.ts';

/** All invariants read whole tables, so they are checked when the payments have grown by this factor, and at the end. */
const JUDGED_WHOLE_AT_GROWTH = 2;

/** `onQuiet`: called at each quiet moment. */
export async function runPlan(plan: Plan, onQuiet: (progress: Progress) => void = () => {}): Promise<RunResult> {
  const begunAt = performance.now();
  const database = await createRestorableDatabase();
  const { admin } = database;
  const folder = await mkdtemp(join(tmpdir(), 'simulation-'));
  try {
    const run = new Run(plan, database, folder);
    await stopAutovacuum(admin);
    await run.begin();
    let judgedWhole = 0;
    for (const episode of plan.episodes) {
      await run.play(episode);
      const { payments } = run.progress();
      const isWhole = episode === plan.episodes.at(-1) || payments >= judgedWhole * JUDGED_WHOLE_AT_GROWTH;
      if (isWhole) judgedWhole = payments;
      if (isWhole) await admin.query('vacuum (analyze)');
      await run.judge(isWhole);
      onQuiet(run.progress());
      if (run.violations.length > 0) break;
    }
    await run.end();
    const { world, violations } = run;
    return {
      ...{ seed: plan.seed, violations, ...run.progress(), ...world.counts, waits: world.waits() },
      ...{ trace: world.trace(), wallMs: performance.now() - begunAt },
    };
  } catch (error) {
    // The closing of the database would hide it.
    console.error(error);
    throw error;
  } finally {
    await rm(folder, { recursive: true });
    await database.close();
  }
}

/** A child process that runs the seeds it receives, one after another, and reports its progress (play-seeds.ts). */
import { SECOND_MS } from '../../src/foundation/clock.ts';
import { drawPlan, type Plan, type Regime } from './plan.ts';
import { runPlan } from './run-plan.ts';
import type { Progress, RunResult } from './run-result.ts';

/** The parameters from which the process draws a plan. */
export type Ordered = Pick<Plan, 'seed' | 'days'> & {
  readonly scale: number;
  readonly regime: Regime;
  readonly rejectionStalls?: number | undefined;
};

export type Report =
  | { readonly kind: 'alive' }
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'ended'; readonly result: RunResult }
  | { readonly kind: 'threw'; readonly error: string };

const tell = (report: Report) => process.send?.(report);

setInterval(() => tell({ kind: 'alive' }), SECOND_MS);
process.on('disconnect', () => process.exit());
process.on('message', ({ seed, days, scale, regime, rejectionStalls }: Ordered) => {
  const plan = drawPlan(seed, days, scale, regime, rejectionStalls);
  runPlan(plan, { onQuiet: (progress) => tell({ kind: 'progress', progress }) }).then(
    (result) => tell({ kind: 'ended', result }),
    (error: unknown) => tell({ kind: 'threw', error: error instanceof Error ? `${error.stack}` : String(error) }),
  );
});

/** Runs a seed with many lock waits twice and compares every step. On a busy machine the two runs may differ. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawPlan } from './run/plan.ts';
import { runPlan } from './run/run-plan.ts';

/** Its processes commit batches of many merchants, so one commit grants the locks of several statements. */
const MANY_WAITS = { seed: '7001', days: 1, scale: 0.03, regime: 'bulk' } as const;
const LEAST_WAITS = 10;

test('two runs of a seed are identical although one commit grants the locks of several statements', async () => {
  const { seed, days, scale, regime } = MANY_WAITS;
  const [first, second] = [await courseOf(), await courseOf()];
  const at = first.findIndex((step, index) => step !== second[index]);
  assert.deepEqual(second.slice(Math.max(0, at - 3), at + 1), first.slice(Math.max(0, at - 3), at + 1), `step ${at}`);
  assert.equal(second.length, first.length);

  async function courseOf(): Promise<readonly string[]> {
    const steps: string[] = [];
    const plan = drawPlan(seed, days, scale, regime);
    const { violations, waits } = await runPlan(plan, { onStep: (step) => void steps.push(step) });
    assert.deepEqual(violations, []);
    assert.ok(waits >= LEAST_WAITS, `${waits} waits`);
    return steps;
  }
});

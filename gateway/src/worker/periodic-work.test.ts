import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock, HOUR_MS, SECOND_MS } from '../foundation/clock.ts';
import { createPeriodicWork } from './periodic-work.ts';

/** Hourly work on a clock of its own; `fails` says which runs, from 1, end in an error. */
function hourlyWork(fails: (run: number) => boolean) {
  const clock = createManualClock(0);
  const runs: number[] = [];
  let problems = 0;
  const work = createPeriodicWork({
    tasks: [
      {
        name: 'hourly',
        everyMs: HOUR_MS,
        async run() {
          runs.push(clock.now());
          if (fails(runs.length)) throw new Error('away');
        },
      },
    ],
    exclusively: async (_task, run) => void (await run()),
    clock,
    onProblem: () => {
      problems += 1;
    },
  });
  return {
    work,
    problems: () => problems,
    /** When it ran within `ms`, in seconds. */
    async runsWithin(ms: number) {
      work.start();
      for (let passed = 0; passed <= ms; passed += SECOND_MS) {
        await new Promise(setImmediate);
        clock.advance(SECOND_MS);
      }
      await work.stop();
      return runs.map((at) => at / SECOND_MS);
    },
  };
}

describe('periodic work', () => {
  it('runs at once and then each time its time has passed', async () => {
    const { runsWithin, problems } = hourlyWork(() => false);
    assert.deepEqual(await runsWithin(2 * HOUR_MS), [0, 3_600, 7_200]);
    assert.equal(problems(), 0);
  });

  it('that failed is tried again soon, ever later, and at its own pace once it succeeded', async () => {
    const { runsWithin, problems } = hourlyWork((run) => run <= 3);
    assert.deepEqual(await runsWithin(HOUR_MS + 300 * SECOND_MS), [0, 30, 90, 210, 3_810]);
    assert.equal(problems(), 3);
  });

  it('that fails for good is never tried more seldom than when it succeeds', async () => {
    const { runsWithin } = hourlyWork(() => true);
    const runs = await runsWithin(6 * HOUR_MS);
    const gaps = runs.slice(1).map((at, index) => at - (runs[index] ?? 0));
    assert.equal(Math.max(...gaps), 3_600);
  });
});

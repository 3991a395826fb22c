import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock, HOUR_MS, SECOND_MS } from '../foundation/clock.ts';
import { createPeriodicWork, type PeriodicTask } from './periodic-work.ts';

/** Hourly work on its own clock. `fails` selects the runs, counted from 1, that fail. */
function hourlyWork(fails: (run: number) => boolean, change: Partial<Omit<PeriodicTask, 'run'>> = {}) {
  const clock = createManualClock(0);
  const runs: number[] = [];
  let problems = 0;
  const work = createPeriodicWork({
    tasks: [
      {
        name: 'hourly',
        everyMs: HOUR_MS,
        ...change,
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
    /** Returns the seconds at which the work ran within `ms`. */
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
  it('periodic work runs immediately and then after each interval', async () => {
    const { runsWithin, problems } = hourlyWork(() => false);
    assert.deepEqual(await runsWithin(2 * HOUR_MS), [0, 3_600, 7_200]);
    assert.equal(problems(), 0);
  });

  it('periodic work with a time to its first run begins after it', async () => {
    const { runsWithin } = hourlyWork(() => false, { afterMs: 600 * SECOND_MS });
    assert.deepEqual(await runsWithin(2 * HOUR_MS), [600, 4_200]);
  });

  it('periodic work that fails retries at growing delays', async () => {
    const { runsWithin, problems } = hourlyWork((run) => run <= 3);
    assert.deepEqual(await runsWithin(HOUR_MS + 300 * SECOND_MS), [0, 30, 90, 210, 3_810]);
    assert.equal(problems(), 3);
  });

  it('frequent periodic work with a longer retry delay waits longer after each failure', async () => {
    const { runsWithin } = hourlyWork((run) => run <= 3, { everyMs: 10 * SECOND_MS, retryUpToMs: HOUR_MS });
    assert.deepEqual(await runsWithin(220 * SECOND_MS), [0, 30, 90, 210, 220]);
  });

  it('periodic work that always fails still runs at least once per interval', async () => {
    const { runsWithin } = hourlyWork(() => true);
    const runs = await runsWithin(6 * HOUR_MS);
    const gaps = runs.slice(1).map((at, index) => at - (runs[index] ?? 0));
    assert.equal(Math.max(...gaps), 3_600);
  });
});

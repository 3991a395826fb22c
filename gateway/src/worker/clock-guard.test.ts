import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock, HOUR_MS, SECOND_MS } from '../foundation/clock.ts';
import { createClockGuard } from './clock-guard.ts';

/** A machine whose clock starts in step with the database's. `set` moves it without time passing. */
function machine() {
  const clock = createManualClock(0);
  let passedMs = 0;
  let stepMs = 0;
  let comparisons = 0;
  const problems: string[] = [];
  const clockIsRight = createClockGuard({
    clock: { ...clock, now: () => clock.now() + stepMs },
    steadyMs: () => passedMs,
    clockDifference: async () => {
      comparisons += 1;
      return -stepMs;
    },
    onProblem: (problem) => problems.push(problem),
  });
  return {
    clockIsRight,
    problems,
    comparisons: () => comparisons,
    pass(ms: number) {
      passedMs += ms;
      clock.advance(ms);
    },
    set(ms: number) {
      stepMs += ms;
    },
  };
}

describe('the guard of a machine’s clock', () => {
  it('a worker compares its clock with the database every 30 seconds while the clock is correct', async () => {
    const { clockIsRight, pass, comparisons } = machine();
    for (let second = 0; second < 60; second++) {
      assert.equal(await clockIsRight(), true);
      pass(SECOND_MS);
    }
    assert.equal(comparisons(), 2);
  });

  for (const [direction, ms] of Object.entries({ forward: HOUR_MS, back: -HOUR_MS }))
    it(`a clock that is set ${direction} by an hour is noticed at the next check`, async () => {
      const { clockIsRight, set, pass, problems } = machine();
      assert.equal(await clockIsRight(), true);
      pass(5 * SECOND_MS);
      set(ms);
      assert.equal(await clockIsRight(), false);
      assert.equal(problems.length, 1);
      set(-ms);
      assert.equal(await clockIsRight(), true);
    });
});

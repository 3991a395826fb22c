import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createManualClock, SECOND_MS } from '../../../foundation/clock.ts';
import { createCommitRest } from './group-commit.ts';

const MANY = 50;
const A_FEW_TURNS = 10;

/** Makes a pause after many commits of one size and duration. The clock then stops, but the timer of the pause runs. */
function restAfter(size: number, elapsedMs: number) {
  let queued = 0;
  const clock = createManualClock(0);
  const rest = createCommitRest(clock, () => queued);
  for (let commit = 0; commit < MANY; commit++) rest.begin(size, elapsedMs);
  return {
    committed: rest.begin,
    wait: (ms: number) => clock.advance(ms),
    join(calls: number) {
      for (let call = 0; call < calls; call++) {
        queued += 1;
        rest.joined();
      }
    },
    /** True if the pause ends without a timer. */
    async isOver() {
      let isOver = false;
      void rest.over().then(() => {
        isOver = true;
      });
      for (let turn = 0; turn < A_FEW_TURNS; turn++) await undefined;
      return isOver;
    },
    /** Returns the duration of the pause in milliseconds. */
    async over() {
      const startedAt = performance.now();
      await rest.over();
      return performance.now() - startedAt;
    },
  };
}

describe('the pause between two group commits', () => {
  it('a writer does not pause between short commits', async () => {
    const rest = restAfter(8, 1.5);
    rest.join(1);
    assert.equal(await rest.isOver(), true);
  });

  it('a writer pauses for four commits while commits are slow, up to a limit', async () => {
    const rest = restAfter(8, 4);
    rest.join(1);
    assert.ok((await rest.over()) > 10);
    const slow = restAfter(8, 1_000);
    slow.join(1);
    const took = await slow.over();
    assert.ok(took > 10 && took < 3_000, `the pause took ${took} ms`);
  });

  it('a writer without concurrent callers does not pause between commits', async () => {
    const rest = restAfter(1, 200);
    rest.join(1);
    assert.equal(await rest.isOver(), true);
  });

  for (const { shared, enough } of [
    { shared: 8, enough: 8 },
    { shared: 50, enough: 16 },
  ])
    it(`a pause ends once ${enough} calls are queued if ${shared} calls shared a recent commit`, async () => {
      const rest = restAfter(shared, 1_000);
      rest.join(enough - 1);
      let isOver = false;
      const over = rest.over().then(() => {
        isOver = true;
      });
      await new Promise(setImmediate);
      assert.equal(isOver, false);
      rest.join(1);
      await new Promise(setImmediate);
      assert.equal(isOver, true);
      await over;
    });

  it('a single caller waits for at most one pause after the concurrent callers have left', async () => {
    const rest = restAfter(8, 200);
    rest.join(1);
    assert.equal(await rest.isOver(), false);
    await sleep(30);
    rest.committed(1, 200);
    assert.equal(await rest.isOver(), true);
  });

  it('group commit uses only recent commits to estimate how many calls share a commit', async () => {
    const rest = restAfter(8, 200);
    rest.wait(100);
    rest.committed(1, 200);
    rest.join(1);
    assert.equal(await rest.isOver(), true);
  });

  it('a writer pauses again for concurrent callers that return after a short absence', async () => {
    let queued = 1;
    const rest = createCommitRest(createManualClock(0), () => queued);
    for (let commit = 0; commit < MANY; commit++) rest.begin(commit === 0 ? 8 : 1, 200);
    await rest.over();
    rest.begin(8, 200);
    queued = 2;
    const timer = sleep(5).then(() => 'still resting');
    assert.equal(await Promise.race([rest.over().then(() => 'over'), timer]), 'still resting');
  });

  it('a pause between commits does not grow when the clock is set back during it', async () => {
    let now = 0;
    const rest = createCommitRest({ ...createManualClock(0), now: () => now }, () => 1);
    for (let commit = 0; commit < MANY; commit++) rest.begin(8, 1_000);
    now -= 2 * SECOND_MS;
    const timer = sleep(500).then(() => 'still resting');
    assert.equal(await Promise.race([rest.over().then(() => 'over'), timer]), 'over');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createManualClock, SECOND_MS } from '../../foundation/clock.ts';
import { createCommitRest } from './commit-rest.ts';

const MANY = 50;
const A_FEW_TURNS = 10;

/** After many commits of one size and length; time stands still from then on, but for the timer of the rest. */
function restAfter(size: number, elapsedMs: number) {
  let queued = 0;
  const rest = createCommitRest(createManualClock(0), () => queued);
  for (let commit = 0; commit < MANY; commit++) rest.begin(size, elapsedMs);
  return {
    join(calls: number) {
      for (let call = 0; call < calls; call++) {
        queued += 1;
        rest.joined();
      }
    },
    /** Whether nothing but promises had to be waited for. */
    async isOver() {
      let isOver = false;
      void rest.over().then(() => {
        isOver = true;
      });
      for (let turn = 0; turn < A_FEW_TURNS; turn++) await undefined;
      return isOver;
    },
    /** What it takes, in ms. */
    async over() {
      const startedAt = performance.now();
      await rest.over();
      return performance.now() - startedAt;
    },
  };
}

describe('the rest between two commits', () => {
  it('is none where commits are short', async () => {
    const rest = restAfter(8, 1.5);
    rest.join(1);
    assert.equal(await rest.isOver(), true);
  });

  it('lasts as long as four commits where they are long, and not past its limit', async () => {
    const rest = restAfter(8, 4);
    rest.join(1);
    assert.ok((await rest.over()) > 10);
    const slow = restAfter(8, 1_000);
    slow.join(1);
    const took = await slow.over();
    assert.ok(took > 10 && took < 500, `it took ${took} ms`);
  });

  it('is none for who comes alone and always came alone', async () => {
    const rest = restAfter(1, 200);
    rest.join(1);
    assert.equal(await rest.isOver(), true);
  });

  for (const { shared, enough } of [
    { shared: 8, enough: 8 },
    { shared: 50, enough: 16 },
  ])
    it(`ends as soon as ${enough} wait, where ${shared} shared a commit lately`, async () => {
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

  it('waits again for company that it lost for a while', async () => {
    let queued = 1;
    const rest = createCommitRest(createManualClock(0), () => queued);
    for (let commit = 0; commit < MANY; commit++) rest.begin(commit === 0 ? 8 : 1, 200);
    await rest.over();
    rest.begin(8, 200);
    queued = 2;
    const timer = sleep(5).then(() => 'still resting');
    assert.equal(await Promise.race([rest.over().then(() => 'over'), timer]), 'still resting');
  });

  it('is no longer when the clock is set back in the middle of it', async () => {
    let now = 0;
    const rest = createCommitRest({ ...createManualClock(0), now: () => now }, () => 1);
    for (let commit = 0; commit < MANY; commit++) rest.begin(8, 1_000);
    now -= 2 * SECOND_MS;
    const timer = sleep(500).then(() => 'still resting');
    assert.equal(await Promise.race([rest.over().then(() => 'over'), timer]), 'over');
  });
});

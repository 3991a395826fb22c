import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Clock, createManualClock, systemClock } from '../../../foundation/clock.ts';
import { OutcomeUnknown, Overloaded } from '../../../foundation/commit-errors.ts';
import { createGroupCommit, type GroupCommitOptions } from './group-commit.ts';

const lost = () => Object.assign(new Error('gone'), { code: '57P01' });

function groupOf(
  flush: GroupCommitOptions<number, number>['flush'],
  change: Partial<GroupCommitOptions<number, number>> = {},
) {
  return createGroupCommit<number, number>({
    flush,
    clock: systemClock,
    maxBatch: 8,
    maxQueued: 100,
    patienceMs: 5_000,
    ...change,
  });
}

describe('a group commit', () => {
  it('a group commit returns each call its own outcome, in batches up to the limit', async () => {
    const sizes: number[] = [];
    const group = groupOf(async (items) => {
      sizes.push(items.length);
      return items.map((item) => item * 2);
    });
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, index) => group.submit(index)));
    assert.deepEqual(
      outcomes,
      Array.from({ length: 20 }, (_, index) => index * 2),
    );
    assert.deepEqual(sizes, [8, 8, 4]);
  });

  it('a group commit never loses a call that arrives while the last batch completes', async () => {
    const group = groupOf(async (items) => [...items]);
    const chains = Array.from({ length: 10 }, async () => {
      for (let step = 0; step < 500; step++) assert.equal(await group.submit(step), step);
    });
    await Promise.all(chains);
  });

  it('a group commit retries a batch after a transient failure, and its callers see only the success', async () => {
    let tries = 0;
    const group = groupOf(async (items) => {
      if (++tries < 3) throw lost();
      return [...items];
    });
    assert.deepEqual(await Promise.all([group.submit(1), group.submit(2)]), [1, 2]);
    assert.equal(tries, 3);
  });

  describe('a group commit whose oldest call timed out during a retry', () => {
    const PATIENCE_MS = 5_000;

    /** Submits calls 1, 2 and 3 in one batch. The first run loses the connection. At the second run call 1 has timed out. */
    async function submitThree(second: (items: readonly number[]) => number[]) {
      const clock = createManualClock(0);
      const tried: number[][] = [];
      const group = groupOf(
        async (items) => {
          tried.push([...items]);
          if (tried.length > 1) return second(items);
          clock.advance(PATIENCE_MS - 1_000);
          throw lost();
        },
        { clock: { ...clock, sleep: systemClock.sleep }, patienceMs: PATIENCE_MS },
      );
      const oldest = group.submit(1);
      clock.advance(2_000);
      return { outcomes: await Promise.allSettled([oldest, group.submit(2), group.submit(3)]), tried };
    }

    const settled = (outcomes: readonly PromiseSettledResult<number>[]) =>
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.constructor.name));

    it('a group commit whose oldest call timed out still returns each later call its own outcome', async () => {
      const { outcomes, tried } = await submitThree((items) => items.map((item) => item * 2));
      assert.deepEqual(settled(outcomes), [OutcomeUnknown.name, 4, 6]);
      assert.deepEqual(tried.slice(1), [[2, 3]]);
    });

    it('a group commit does not run a timed-out call again when it repeats the other calls one by one', async () => {
      const { outcomes, tried } = await submitThree((items) => {
        if (items.includes(3)) throw new RangeError('bad item');
        return items.map((item) => item * 2);
      });
      assert.deepEqual(settled(outcomes), [OutcomeUnknown.name, 4, RangeError.name]);
      assert.deepEqual(tried.slice(1), [[2, 3], [2], [3]]);
    });
  });

  it('a group commit fails only the failing item of a batch', async () => {
    const group = groupOf(async (items) => {
      if (items.includes(13)) throw new Error('bad item');
      return [...items];
    });
    const results = await Promise.allSettled([group.submit(1), group.submit(13), group.submit(2)]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
  });

  it('a group commit reports an unknown outcome while the database stays unreachable', async () => {
    const manual = createManualClock(0);
    const clock: Clock = {
      ...manual,
      sleep: async (ms) => {
        manual.advance(ms);
      },
    };
    const group = groupOf(async () => Promise.reject(lost()), { clock });
    await assert.rejects(group.submit(1), OutcomeUnknown);
  });

  it('a group commit rejects a call with Overloaded before any attempt when its queue is full', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const tried: number[] = [];
    const group = groupOf(
      async (items) => {
        tried.push(...items);
        await held;
        return [...items];
      },
      { maxBatch: 1, maxQueued: 2 },
    );
    const first = group.submit(1);
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    const waiting = [group.submit(2), group.submit(3)];
    await assert.rejects(group.submit(4), Overloaded);
    release();
    assert.deepEqual(await Promise.all([first, ...waiting]), [1, 2, 3]);
    assert.ok(!tried.includes(4));
  });

  it('a group commit drains until no call is in flight', async () => {
    let done = 0;
    const group = groupOf(async (items) => {
      await systemClock.sleep(5);
      done += items.length;
      return [...items];
    });
    for (let index = 0; index < 20; index++) void group.submit(index);
    await group.drain();
    assert.equal(done, 20);
  });
});

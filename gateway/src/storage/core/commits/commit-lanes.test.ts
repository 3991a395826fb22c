import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Clock, systemClock } from '../../../foundation/clock.ts';
import { OutcomeUnknown } from '../../../foundation/commit-errors.ts';
import { createGroupCommit } from './group-commit.ts';

interface Call {
  readonly merchant: string;
  readonly id: number;
}

const lockTimeout = () => Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });

/** The database: a batch waits while another session holds the lock of one of its merchants, up to the lock timeout. */
function createLocks(lockTimeoutMs: number) {
  const held = new Map<string, { readonly over: Promise<void>; readonly release: () => void }>();
  const batches: (readonly Call[])[] = [];
  const committed: number[] = [];
  return {
    batches,
    committed,
    hold(merchant: string) {
      const { promise: over, resolve: release } = Promise.withResolvers<void>();
      held.set(merchant, { over, release });
    },
    release(merchant: string) {
      held.get(merchant)?.release();
      held.delete(merchant);
    },
    async flush(calls: readonly Call[]) {
      batches.push(calls);
      const { promise: late, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(() => reject(lockTimeout()), lockTimeoutMs);
      try {
        for (const { merchant } of calls) await Promise.race([held.get(merchant)?.over, late]);
      } finally {
        clearTimeout(timer);
      }
      committed.push(...calls.map(({ id }) => id));
      return calls.map(({ id }) => id);
    },
  };
}

type Locks = ReturnType<typeof createLocks>;

function groupOver({ flush }: Locks, patienceMs = 60_000, clock: Clock = systemClock) {
  const group = createGroupCommit<Call, number>({
    flush,
    clock,
    patienceMs,
    maxBatch: 8,
    maxQueued: 1_000,
    merchantOf: ({ merchant }) => merchant,
  });
  let ids = 0;
  return { ...group, call: (merchant: string) => group.submit({ merchant, id: ++ids }) };
}

const pause = (ms: number) => systemClock.sleep(ms);

describe('a group commit while another session holds the locks of one merchant', () => {
  it('a group commit commits the calls of other merchants while a batch waits for the lock', async () => {
    const locks = createLocks(60_000);
    const group = groupOver(locks);
    locks.hold('held');
    const waiting = group.call('held');
    while (locks.batches.length === 0) await pause(1);
    const others = Array.from({ length: 20 }, (_, index) => group.call(`m${index % 5}`));
    const later = group.call('held');
    await Promise.all(others);
    assert.equal(locks.committed.length, 20);
    locks.release('held');
    assert.deepEqual([await waiting, await later], [1, 22]);
    await group.drain();
    assert.equal(new Set(locks.committed).size, 22);
  });

  it('a group commit commits the neighbours of a batch whose lock timed out', async () => {
    const locks = createLocks(1_200);
    const group = groupOver(locks);
    locks.hold('held');
    const waiting = group.call('held');
    const neighbours = ['a', 'b', 'c'].map((merchant) => group.call(merchant));
    await Promise.all(neighbours);
    assert.deepEqual(locks.committed.toSorted(), [2, 3, 4]);
    const [one, more] = [group.call('held'), group.call('a')];
    await more;
    locks.release('held');
    await Promise.all([waiting, one]);
    const mixed = locks.batches.slice(1).filter((batch) => new Set(batch.map(({ merchant }) => merchant)).size > 1);
    assert.deepEqual(mixed, []);
    await Promise.all([group.call('held'), group.call('b')]);
    assert.equal(locks.batches.at(-1)?.length, 2, 'a merchant whose lock is free shares its commits again');
    assert.equal(new Set(locks.committed).size, locks.committed.length);
  });

  it('a group commit reports an unknown outcome to each call of a merchant whose lock stays taken', async () => {
    const locks = createLocks(300);
    const group = groupOver(locks, 500);
    locks.hold('held');
    const [held, free] = await Promise.allSettled([group.call('held'), group.call('free')]);
    assert.ok(held?.status === 'rejected' && held.reason instanceof OutcomeUnknown);
    assert.equal(free?.status, 'fulfilled');
    await group.drain();
  });

  it('a group commit commits the calls of one merchant in one batch at a time', async () => {
    const locks = createLocks(60_000);
    const inFlight = new Map<string, number>();
    const flush = async (calls: readonly Call[]) => {
      const merchants = new Set(calls.map(({ merchant }) => merchant));
      for (const merchant of merchants) {
        assert.equal(inFlight.get(merchant) ?? 0, 0, merchant);
        inFlight.set(merchant, 1);
      }
      const ids = await locks.flush(calls);
      for (const merchant of merchants) inFlight.set(merchant, 0);
      return ids;
    };
    const group = groupOver({ ...locks, flush });
    locks.hold('one');
    locks.hold('two');
    const calls = Array.from({ length: 60 }, (_, index) =>
      group.call(['one', 'two', 'three', 'four'][index % 4] ?? ''),
    );
    await pause(2_300);
    calls.push(group.call('one'), group.call('three'));
    locks.release('two');
    await pause(50);
    locks.release('one');
    assert.deepEqual((await Promise.all(calls)).length, 62);
    assert.equal(new Set(locks.committed).size, 62);
    await group.drain();
  });
});

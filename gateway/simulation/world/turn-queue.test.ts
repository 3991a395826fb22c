import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LockWatch } from '../database/lock-watch.ts';
import { drawnFrom } from './drawn.ts';
import { createLife, type Life } from './life.ts';
import { ProcessDied, settle, type TurnKind, TurnQueue } from './turn-queue.ts';

const NO_LOCKS: LockWatch = {
  untilBlocked: async (ended) => ended.then(() => undefined),
  waiting: async () => new Set(),
  resume: () => {},
  deadlock: async () => undefined,
};
const ANYBODY = () => true;

interface QueueUnderTest {
  readonly before?: (life: Life) => void;
  readonly locks?: LockWatch;
  readonly openTransactions?: () => number;
  readonly seed?: string;
}

function queueWith({
  before = () => {},
  locks = NO_LOCKS,
  openTransactions = () => 0,
  seed = 'turns',
}: QueueUnderTest) {
  const hooks = { before, after: () => {}, onStep: () => {}, openTransactions, settled: settle };
  return new TurnQueue(drawnFrom(seed), locks, hooks);
}

/** Lets each process take this many turns. Resolves to their order. */
async function orderOf(seed: string, turns: number): Promise<string[]> {
  const queue = queueWith({ seed });
  const order: string[] = [];
  const take = async (life: Life) => {
    for (let taken = 0; taken < turns; taken++) {
      const turn = await queue.wait(life, 'single');
      order.push(life.name);
      turn.release();
    }
  };
  const work = ['a', 'b', 'c'].map((name) => take(createLife(name)));
  for (await settle(); !queue.isEmpty(); await settle()) await queue.next(ANYBODY);
  await Promise.all(work);
  return order;
}

describe('the turn queue of the simulation', () => {
  it('the turn queue gives the same order for the same seed, and a different order for a different seed', async () => {
    const first = await orderOf('one', 20);
    assert.equal(first.length, 60);
    assert.deepEqual(await orderOf('one', 20), first);
    assert.notDeepEqual(await orderOf('other', 20), first);
  });

  it('the turn queue does not give a turn while the holder of the previous turn has not released it', async () => {
    const queue = queueWith({});
    const life = createLife('a');
    const given: number[] = [];
    const turns = [1, 2].map(async (number) => {
      const turn = await queue.wait(life, 'single');
      given.push(number);
      return turn;
    });
    const next = queue.next(ANYBODY);
    await settle();
    assert.equal(given.length, 1);
    const first = await Promise.race(turns);
    first.release();
    assert.equal(await next, 'single');
    assert.equal(queue.isEmpty(), false);
  });

  it('the turn queue does not give a turn to a stalled process', async () => {
    const queue = queueWith({});
    const [stalled, running] = [createLife('stalled'), createLife('running')];
    void queue.wait(stalled, 'single');
    void queue.wait(running, 'single').then((turn) => turn.release());
    const may = (life: Life) => life !== stalled;
    assert.equal(await queue.next(may), 'single');
    assert.equal(await queue.next(may), undefined);
    assert.equal(queue.isEmpty(), false);
  });

  it('the turn queue rejects the waiting turn of a process that dies, even immediately before that turn', async () => {
    const waiting = createLife('dies while it waits');
    const turning = createLife('dies at its turn');
    const queue = queueWith({ before: (life) => life.kill() });
    const rejected = [waiting, turning].map((life) => assert.rejects(queue.wait(life, 'single'), ProcessDied));
    waiting.kill();
    assert.equal(await queue.next(ANYBODY), 'single');
    await Promise.all(rejected);
    assert.equal(queue.isEmpty(), true);
    await assert.rejects(queue.wait(waiting, 'single'), ProcessDied);
  });

  it('the turn queue lets others continue while a statement waits for a lock', async () => {
    const { answers, queue, order, work } = queueWithWaiters(1);
    const waiter = work('waiter', 'statement', answers[0]);
    await queue.next(ANYBODY);
    assert.equal(queue.waits, 1);
    const holder = work('holder', 'commit');
    await queue.next(ANYBODY);
    await Promise.all([waiter, holder]);
    assert.deepEqual(order, ['waiter begins', 'holder begins', 'holder continues', 'waiter continues']);
  });

  it('the turn queue resumes statements whose locks one commit granted one after another, in the order of their waits', async () => {
    const { answers, queue, order, work } = queueWithWaiters(3);
    const waiters: Promise<void>[] = [];
    for (const [index, answer] of answers.entries()) {
      waiters.push(work(`waiter ${index}`, 'statement', answer));
      await queue.next(ANYBODY);
    }
    order.length = 0;
    const holder = work('holder', 'commit');
    await queue.next(ANYBODY);
    await Promise.all([...waiters, holder]);
    const resumed = [0, 1, 2].flatMap((index) => [`${index} resumes`, `waiter ${index} continues`]);
    assert.deepEqual(order, ['holder begins', 'holder continues', ...resumed]);
  });

  it('the turn queue reports a deadlock of statements that wait for each other', async () => {
    const { answers, queue, work } = queueWithWaiters(2);
    for (const [index, answer] of answers.entries()) {
      void work(`waiter ${index}`, 'statement', answer);
      await queue.next(ANYBODY);
    }
    await assert.rejects(queue.refuseDeadlock(), /deadlock: 0, 1/);
  });
});

/**
 * Creates a queue whose first statements wait for a lock until a commit grants them all. Each server process has its
 * statement's index as its number.
 */
function queueWithWaiters(count: number) {
  const answers = Array.from({ length: count }, () => Promise.withResolvers<void>());
  const order: string[] = [];
  let waits = 0;
  let isGranted = false;
  const locks: LockWatch = {
    untilBlocked: async (ended) => (waits < count ? waits++ : ended.then(() => undefined)),
    waiting: async () => new Set(isGranted ? [] : answers.keys()),
    resume: (pid) => {
      if (count > 1) order.push(`${pid} resumes`);
      answers[pid]?.resolve();
    },
    deadlock: async (stopped) => [...stopped].join(', '),
  };
  const queue = queueWith({ locks, openTransactions: () => 2 });
  const work = async (name: string, kind: TurnKind, answer?: { readonly promise: Promise<void> }) => {
    const turn = await queue.wait(createLife(name), kind);
    order.push(`${name} begins`);
    isGranted = kind === 'commit';
    await answer?.promise;
    await turn.answered();
    order.push(`${name} continues`);
    turn.release();
  };
  return { answers, queue, order, work };
}

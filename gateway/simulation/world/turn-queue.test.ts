import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LockWatch } from '../database/lock-watch.ts';
import { drawnFrom } from './drawn.ts';
import { createLife, type Life } from './life.ts';
import { ProcessDied, settle, type TurnKind, TurnQueue } from './turn-queue.ts';

const NO_LOCKS: LockWatch = { untilBlocked: async (ended) => ended.then(() => false), untilStill: async () => {} };
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
  return new TurnQueue(drawnFrom(seed), locks, { before, after: () => {}, openTransactions, settled: settle });
}

/** Each process takes so many turns. Resolves with their order. */
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

  it('the turn queue gives no turn while the holder of the previous turn has not released it', async () => {
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

  it('the turn queue gives a stalled process no turn', async () => {
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
    let blocked = true;
    const locks: LockWatch = { untilBlocked: async () => blocked, untilStill: async () => {} };
    const queue = queueWith({ locks, openTransactions: () => 2 });
    const order: string[] = [];
    const answer = Promise.withResolvers<void>();
    const work = async (name: string, kind: TurnKind, database: Promise<void>) => {
      const turn = await queue.wait(createLife(name), kind);
      order.push(`${name} begins`);
      await database;
      await turn.answered();
      order.push(`${name} continues`);
      turn.release();
    };
    const waiter = work('waiter', 'statement', answer.promise);
    await queue.next(ANYBODY);
    assert.equal(queue.waits, 1);
    blocked = false;
    const holder = work('holder', 'commit', Promise.resolve());
    answer.resolve();
    await queue.next(ANYBODY);
    await Promise.all([waiter, holder]);
    assert.deepEqual(order, ['waiter begins', 'holder begins', 'holder continues', 'waiter continues']);
  });
});

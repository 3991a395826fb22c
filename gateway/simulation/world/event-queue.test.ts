import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawnFrom } from './drawn.ts';
import { createEventQueue } from './event-queue.ts';

describe('the event queue of the simulation', () => {
  it('the event queue returns events by time, and events of one time in the order of their addition', () => {
    const queue = createEventQueue();
    const drawn = drawnFrom('event queue');
    const added = Array.from({ length: 500 }, (_, index) => ({ time: drawn.between(0, 20), index }));
    const taken: typeof added = [];
    for (const each of added) queue.add(each.time, () => void taken.push(each));
    while (queue.nextAt() < Number.POSITIVE_INFINITY) queue.take()();
    assert.deepEqual(
      taken,
      added.toSorted((one, other) => one.time - other.time || one.index - other.index),
    );
  });

  it('the event queue skips a cancelled event and returns the time of the next event', () => {
    const queue = createEventQueue();
    const taken: string[] = [];
    const cancelFirst = queue.add(1, () => void taken.push('first'));
    queue.add(2, () => void taken.push('second'));
    const cancelThird = queue.add(3, () => void taken.push('third'));
    cancelFirst();
    cancelThird();
    assert.equal(queue.nextAt(), 2);
    queue.take()();
    assert.equal(queue.nextAt(), Number.POSITIVE_INFINITY);
    assert.deepEqual(taken, ['second']);
  });

  it('the event queue runs an event that another event adds before the events of a later time', () => {
    const queue = createEventQueue();
    const taken: number[] = [];
    queue.add(1, () => {
      taken.push(1);
      queue.add(2, () => void taken.push(2));
    });
    queue.add(3, () => void taken.push(3));
    while (queue.nextAt() < Number.POSITIVE_INFINITY) queue.take()();
    assert.deepEqual(taken, [1, 2, 3]);
  });
});

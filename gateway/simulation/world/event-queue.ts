/** A queue of events, ordered by time and then by insertion. */
import type { Instant } from '../../src/foundation/clock.ts';

interface EventQueue {
  /** Returns a function that cancels the event. */
  add(time: Instant, event: () => void): () => void;
  /** Infinity if the queue is empty. Call it before `take`. */
  nextAt(): Instant;
  take(): () => void;
}

interface Entry {
  readonly time: Instant;
  readonly number: number;
  readonly event: () => void;
  isCancelled: boolean;
}

/** Creates a queue, which is implemented as a binary heap. */
export function createEventQueue(): EventQueue {
  const heap: Entry[] = [];
  let added = 0;
  const isBefore = (one: Entry, other: Entry) =>
    one.time < other.time || (one.time === other.time && one.number < other.number);
  const at = (index: number) => heap[index] as Entry;

  function swap(one: number, other: number): void {
    [heap[one], heap[other]] = [at(other), at(one)];
  }

  function sink(): void {
    for (let index = 0; ; ) {
      let least = index;
      for (const child of [2 * index + 1, 2 * index + 2])
        if (child < heap.length && isBefore(at(child), at(least))) least = child;
      if (least === index) return;
      swap(index, least);
      index = least;
    }
  }

  function rise(): void {
    for (let index = heap.length - 1; index > 0; ) {
      const parent = (index - 1) >> 1;
      if (!isBefore(at(index), at(parent))) return;
      swap(index, parent);
      index = parent;
    }
  }

  function removeFirst(): Entry {
    const first = at(0);
    const last = heap.pop() as Entry;
    if (heap.length > 0) {
      heap[0] = last;
      sink();
    }
    return first;
  }

  return {
    add(time, event) {
      const entry: Entry = { time, number: added++, event, isCancelled: false };
      heap.push(entry);
      rise();
      return () => {
        entry.isCancelled = true;
      };
    },
    nextAt() {
      while (heap[0]?.isCancelled) removeFirst();
      return heap[0]?.time ?? Number.POSITIVE_INFINITY;
    },
    take: () => removeFirst().event,
  };
}

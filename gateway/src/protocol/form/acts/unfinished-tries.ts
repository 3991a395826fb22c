/**
 * Tries whose provider is slow. The payer's request waits for a while, so that most see the result at once; then the page
 * tells them that it is being waited for, and the try goes on by itself.
 */
import { type Clock, SECOND_MS } from '../../../foundation/clock.ts';

export interface UnfinishedTries {
  /** Undefined: it takes longer than a payer should look at an empty page. Its failure is then told to `onFailed`. */
  wait<Result>(work: Promise<Result>): Promise<Result | undefined>;
  /** Resolves when none is under way. */
  drain(): Promise<void>;
}

const PATIENCE_MS = 10 * SECOND_MS;

export function createUnfinishedTries(clock: Clock, onFailed: (error: unknown) => void): UnfinishedTries {
  const underWay = new Set<Promise<unknown>>();
  return {
    async wait<Result>(work: Promise<Result>) {
      const over = new AbortController();
      const late = clock.sleep(PATIENCE_MS, over.signal).then(() => 'late' as const);
      try {
        const first = await Promise.race([work.then((result) => ({ result })), late]);
        if (first !== 'late') return first.result;
      } finally {
        over.abort('it is over');
      }
      const rest = work.catch(onFailed).finally(() => underWay.delete(rest));
      underWay.add(rest);
      return undefined;
    },
    async drain() {
      await Promise.all(underWay);
    },
  };
}

/**
 * Attempts at slow providers. The payer's request waits for a while, so most payers see the result at once. After
 * that the page shows that the payment is pending, and the attempt continues in the background.
 */
import { type Clock, SECOND_MS } from '../../../foundation/clock.ts';

export interface BackgroundAttempts {
  /** Returns undefined if the work takes longer than a payer should wait. A later failure goes to `onFailed`. */
  wait<Result>(work: Promise<Result>): Promise<Result | undefined>;
  /** Resolves when no attempt is in flight. */
  drain(): Promise<void>;
}

const PATIENCE_MS = 10 * SECOND_MS;

export function createBackgroundAttempts(clock: Clock, onFailed: (error: unknown) => void): BackgroundAttempts {
  const inFlight = new Set<Promise<unknown>>();
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
      const rest = work.catch(onFailed).finally(() => inFlight.delete(rest));
      inFlight.add(rest);
      return undefined;
    },
    async drain() {
      await Promise.all(inFlight);
    },
  };
}

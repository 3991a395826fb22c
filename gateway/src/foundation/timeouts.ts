/**
 * Time-outs of one length, of which there are many at once and nearly all are called off: one sleeper waits for the
 * oldest of them, where a timer each would cost more than what it guards.
 */
import type { Clock, Instant } from './clock.ts';

export interface Timeouts {
  /** Calls `act` once the time is over, unless the function that it returns is called before. */
  start(act: () => void): () => void;
}

interface Waiting {
  readonly dueAt: Instant;
  readonly act: () => void;
}

/** A reason spares the making of an exception that nobody sees. */
const NOBODY_WAITS = 'all were called off';

/** `ms`: of `clock`, for all of them. */
export function createTimeouts(clock: Clock, ms: number): Timeouts {
  /** In the order in which they are due, since all last equally long. */
  const waiting = new Set<Waiting>();
  /** Ends the sleep of whoever watches; undefined while nobody does. */
  let watcher: AbortController | undefined;

  async function watch({ signal }: AbortController): Promise<void> {
    while (!signal.aborted) {
      const now = clock.now();
      for (const one of waiting) {
        // Further off than it ever was: the clock was set back, and nobody is made to wait for it to catch up.
        if (one.dueAt > now && one.dueAt - now <= ms) break;
        waiting.delete(one);
        one.act();
      }
      const [oldest] = waiting;
      if (oldest === undefined) return callOffWatch();
      await clock.sleep(oldest.dueAt - now, signal);
    }
  }

  /** Nothing may keep the process from ending once nobody waits. */
  function callOffWatch(): void {
    watcher?.abort(NOBODY_WAITS);
    watcher = undefined;
  }

  return {
    start(act) {
      const one = { dueAt: clock.now() + ms, act };
      waiting.add(one);
      if (watcher === undefined) {
        watcher = new AbortController();
        void watch(watcher);
      }
      return () => {
        waiting.delete(one);
        if (waiting.size === 0) callOffWatch();
      };
    },
  };
}

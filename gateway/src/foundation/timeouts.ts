/**
 * Many concurrent timeouts of one length, nearly all of which are cancelled. One sleeper waits for the oldest. A timer
 * for each would cost more than the work that it guards.
 */
import type { Clock, Instant } from './clock.ts';

export interface Timeouts {
  /** Calls `act` when the time has passed. Returns a function that cancels the call. */
  start(act: () => void): () => void;
}

interface Waiting {
  readonly dueAt: Instant;
  readonly act: () => void;
}

/** Without a reason, `abort` would create an unused exception. */
const NOBODY_WAITS = 'all were called off';

/** `ms` is in milliseconds of `clock`, and the same for every timeout. */
export function createTimeouts(clock: Clock, ms: number): Timeouts {
  /** In due order, because all timeouts have the same length. */
  const waiting = new Set<Waiting>();
  /** Ends the sleep of the watcher. Undefined while there is no watcher. */
  let watcher: AbortController | undefined;

  async function watch({ signal }: AbortController): Promise<void> {
    while (!signal.aborted) {
      const now = clock.now();
      for (const one of waiting) {
        // The due time is farther away than the timeout's length, so the clock was set back. Fire now instead of
        // waiting for the clock.
        if (one.dueAt > now && one.dueAt - now <= ms) break;
        waiting.delete(one);
        one.act();
      }
      const [oldest] = waiting;
      if (oldest === undefined) return callOffWatch();
      await clock.sleep(oldest.dueAt - now, signal);
    }
  }

  /** An idle watcher would prevent the process from exiting. */
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

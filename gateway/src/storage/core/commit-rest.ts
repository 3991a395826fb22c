/**
 * When a writer of a group commit waits for more company. On a busy machine each further commit makes all of them
 * slower, so a writer rests after its commit and lets calls gather; on an idle one it never does.
 */
import type { Clock } from '../../foundation/clock.ts';

/** Commits that usually take longer are those of a busy database. */
const BUSY_COMMIT_MS = 2.5;
const RESTS_FOR_COMMITS = 4;
const LONGEST_REST_MS = 20;
/** So many share a commit's own cost that hardly anything is left of it for each. */
const ENOUGH = 16;
/** How much of what was usual is still so after one more commit. */
const MEMORY = 0.9;

export interface CommitRest {
  /** After a commit of so many calls. */
  begin(size: number, elapsedMs: number): void;
  /** Told of each call that joins the queue. */
  joined(): void;
  /**
   * Resolves when the rest is over: at the latest when as many wait as shared a commit lately, for then all may be back
   * who only come again once they were answered.
   */
  over(): Promise<void>;
}

/** `queued`: how many calls wait. The rest itself goes by the system's timer, whatever the clock. */
export function createCommitRest(clock: Clock, queued: () => number): CommitRest {
  let usualMs = 0;
  let enough = 0;
  let endsAt = 0;
  let end: (() => void) | undefined;
  return {
    begin(size, elapsedMs) {
      usualMs = MEMORY * usualMs + (1 - MEMORY) * elapsedMs;
      enough = Math.min(ENOUGH, Math.max(size, MEMORY * enough));
      const restMs = usualMs < BUSY_COMMIT_MS ? 0 : Math.min(RESTS_FOR_COMMITS * usualMs, LONGEST_REST_MS);
      endsAt = clock.now() + restMs;
    },
    joined() {
      if (queued() >= enough) end?.();
    },
    async over() {
      // Further off than it ever was: the clock was set back, and nobody is made to wait for it to catch up.
      const restMs = Math.min(endsAt - clock.now(), LONGEST_REST_MS);
      if (restMs <= 0 || queued() >= enough) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, restMs);
        end = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      end = undefined;
    },
  };
}

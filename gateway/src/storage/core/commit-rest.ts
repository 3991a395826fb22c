/**
 * Decides when the writer of a group commit pauses so that more calls can join. On a busy machine each further commit slows all
 * of them. The writer then pauses after its commit. On an idle machine it never pauses. It commits nothing.
 */
import type { Clock } from '../../foundation/clock.ts';

/** A database whose commits usually take longer counts as busy. */
const BUSY_COMMIT_MS = 2.5;
const RESTS_FOR_COMMITS = 4;
const LONGEST_REST_MS = 20;
/** At this number of calls per commit, a larger batch saves almost nothing per call. */
const ENOUGH = 16;
/** The weight of the earlier average after one more commit. */
const MEMORY = 0.9;
/** The number of calls that shared a commit counts half after this time. */
const HALF_LIFE_MS = 25;

export interface CommitRest {
  /** Reports a commit of `size` calls that took `elapsedMs`. */
  begin(size: number, elapsedMs: number): void;
  /** Reports that a call joined the queue. */
  joined(): void;
  /**
   * Resolves when the pause ends. It ends early once as many calls are queued as shared a recent commit: callers that send
   * again only after their answer may then all be back. After a pause that no second call joined, there is none until calls
   * share a commit again: a lone caller never pays for callers that left.
   */
  over(): Promise<void>;
}

/** `queued` gives the number of queued calls. The pause itself uses a system timer instead of `clock`. */
export function createCommitRest(clock: Clock, queued: () => number): CommitRest {
  let usualMs = 0;
  let enough = 0;
  let endsAt = 0;
  let committedAt = 0;
  let end: (() => void) | undefined;
  return {
    begin(size, elapsedMs) {
      usualMs = MEMORY * usualMs + (1 - MEMORY) * elapsedMs;
      const now = clock.now();
      enough = Math.min(ENOUGH, Math.max(size, enough * 0.5 ** Math.max(0, (now - committedAt) / HALF_LIFE_MS)));
      committedAt = now;
      const restMs = usualMs < BUSY_COMMIT_MS ? 0 : Math.min(RESTS_FOR_COMMITS * usualMs, LONGEST_REST_MS);
      endsAt = now + restMs;
    },
    joined() {
      if (queued() >= enough) end?.();
    },
    async over() {
      // The clock may have been set back. The limit prevents a pause until it catches up.
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
      if (queued() <= 1) enough = 0;
    },
  };
}

/**
 * The schedule of a worker: one round after another without a pause while there is more to do, otherwise with a short pause. A
 * nudge ends the pause. The owner decides what a round does.
 */
import { type Clock, SECOND_MS } from '../foundation/clock.ts';

interface RoundsParts {
  readonly clock: Clock;
  /** Resolves to true if there may be more to do now. */
  readonly round: () => Promise<boolean>;
  readonly onFailed: (error: unknown) => void;
}

export interface Rounds {
  start(): void;
  /** Begins the next round immediately, or right after the current round. */
  nudge(): void;
  /** Returns true from the moment `stop` was called. */
  isStopping(): boolean;
  /** Begins no other round. Resolves when the current round has ended. */
  stop(): Promise<void>;
}

/** The pause between two rounds without work. */
export const PAUSE_MS = 250;
/** An abort with a fixed reason avoids creating an unused exception on every nudge. */
const NUDGED = 'something is due';
const PAUSE_AFTER_FAILURE_MS = 1 * SECOND_MS;

export function createRounds({ clock, round, onFailed }: RoundsParts): Rounds {
  let wake = new AbortController();
  let stopping = false;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (!stopping) {
      wake = new AbortController();
      const pauseMs = await round().then(
        (hasMore) => (hasMore ? 0 : PAUSE_MS),
        (error: unknown) => {
          onFailed(error);
          // Ignore nudges that arrived during the pause: a failed round must not be retried in a tight loop.
          wake = new AbortController();
          return PAUSE_AFTER_FAILURE_MS;
        },
      );
      if (pauseMs > 0 && !stopping) await clock.sleep(pauseMs, wake.signal);
    }
  }

  return {
    start() {
      running ??= run();
    },
    nudge: () => wake.abort(NUDGED),
    isStopping: () => stopping,
    async stop() {
      stopping = true;
      wake.abort();
      await running;
    },
  };
}

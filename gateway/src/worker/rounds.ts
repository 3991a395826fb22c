/**
 * The rhythm of a worker: round after round without a pause while there is more to do, else with a short one, which a
 * nudge ends. What a round does is its owner's.
 */
import { type Clock, SECOND_MS } from '../foundation/clock.ts';

export interface RoundsParts {
  readonly clock: Clock;
  /** True when there may be more to do at once. */
  readonly round: () => Promise<boolean>;
  readonly onFailed: (error: unknown) => void;
}

export interface Rounds {
  start(): void;
  /** The next round begins at once, or right after the one that is under way. */
  nudge(): void;
  /** True from the moment `stop` was called. */
  isStopping(): boolean;
  /** Begins no other round and resolves when the one under way has ended. */
  stop(): Promise<void>;
}

const PAUSE_MS = 250;
/** A reason spares the making of an exception that nobody sees, on every nudge. */
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
          // Nudges that came meanwhile do not count: what failed must not be tried in a tight loop.
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

/**
 * The clock as a parameter. Everything in a simulator that waits or records a time uses a Clock, so that tests can control it.
 * No other file of this package may call Date.now or setTimeout.
 */

export interface Clock {
  /** Returns the time in milliseconds since the epoch. */
  now(): number;
  /** Runs `run` once after `delayMs`. Returns a function that cancels it, without effect once it ran. */
  after(delayMs: number, run: () => void): () => void;
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The longest delay of setTimeout, which runs immediately for a longer one. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, run) {
    let timer: NodeJS.Timeout;
    const wait = (leftMs: number) => {
      const nextMs = Math.min(leftMs, LONGEST_DELAY_MS);
      timer = setTimeout(() => (leftMs > nextMs ? wait(leftMs - nextMs) : run()), nextMs);
    };
    wait(delayMs);
    return () => clearTimeout(timer);
  },
};

/** Timers that can be cancelled together, so that a closed or reset simulator leaves none behind. */
export class TimerSet {
  readonly #clock: Clock;
  readonly #cancels = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  after(delayMs: number, run: () => void): () => void {
    const cancelTimer = this.#clock.after(delayMs, () => {
      this.#cancels.delete(cancel);
      run();
    });
    const cancel = () => {
      this.#cancels.delete(cancel);
      cancelTimer();
    };
    this.#cancels.add(cancel);
    return cancel;
  }

  cancelAll(): void {
    for (const cancel of this.#cancels) cancel();
  }
}

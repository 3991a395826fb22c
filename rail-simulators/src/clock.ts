/**
 * Time as a parameter: everything in a simulator that waits or stamps does it through a Clock, so that tests and a
 * simulated clock can move it. Nothing else in this package may call Date.now or setTimeout.
 */

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `run` once after `delayMs`; the function returned cancels it and is harmless afterwards. */
  after(delayMs: number, run: () => void): () => void;
}

/** What setTimeout takes: with more it would run at once. */
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

/** Timers that end together: a simulator that closes or is reset must leave nothing behind that still fires. */
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

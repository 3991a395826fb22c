/**
 * Time as a parameter. Code that decides on money or callbacks (leases, retries, expiries, breakers) reads the clock
 * from its parameters. A test or a simulation can then move the entire gateway in time.
 */

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number;

export interface Clock {
  now(): Instant;
  /** Resolves after `ms` milliseconds of this clock, or immediately when `signal` aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const wake = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      signal?.addEventListener('abort', wake, { once: true });
    }),
};

/** Returns milliseconds of a monotonic clock, counted from an unknown instant. */
export const systemSteadyMs = (): number => performance.now();

/** Calls `act` after `ms` milliseconds of `clock`. Returns a function that cancels the call. */
export function afterDelay(clock: Clock, ms: number, act: () => void): () => void {
  const calledOff = new AbortController();
  void clock.sleep(ms, calledOff.signal).then(() => {
    if (!calledOff.signal.aborted) act();
  });
  // Without a reason, `abort` would create an unused exception, on paths that every payout takes.
  return () => calledOff.abort('called off');
}

/** A clock that only `advance` moves. `advance` wakes the sleepers that are due, in the order of their due times. */
export interface ManualClock extends Clock {
  advance(ms: number): void;
}

export function createManualClock(start: Instant): ManualClock {
  let current = start;
  let sleepers: { due: Instant; wake: () => void }[] = [];
  return {
    now: () => current,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const sleeper = { due: current + ms, wake: resolve };
        sleepers.push(sleeper);
        signal?.addEventListener(
          'abort',
          () => {
            sleepers = sleepers.filter((other) => other !== sleeper);
            resolve();
          },
          { once: true },
        );
      }),
    advance(ms) {
      current += ms;
      const due = sleepers.filter((sleeper) => sleeper.due <= current).sort((a, b) => a.due - b.due);
      sleepers = sleepers.filter((sleeper) => sleeper.due > current);
      for (const sleeper of due) sleeper.wake();
    },
  };
}

/** `YYYY-MM-DD HH:MM:SS` in UTC: the format of every date in callbacks and lists (decision 27). */
export function formatUtc(instant: Instant): string {
  return new Date(instant).toISOString().slice(0, 19).replace('T', ' ');
}

/** Returns the UTC day as `YYYY-MM-DD`. */
export function utcDayOf(instant: Instant): string {
  return new Date(instant).toISOString().slice(0, 10);
}

/** Until when something may be asked of somebody else, on the clock of whoever asks. */
import type { Clock } from './clock.ts';
import { createTimeouts } from './timeouts.ts';

export interface Deadline {
  /** Aborts when the time is over; in a process that was stopped meanwhile, a moment after it goes on. */
  readonly signal: AbortSignal;
  /** Asks the clock, so it is right in such a process as well: to be asked immediately before each write. */
  isPast(): boolean;
}

/** For what goes on until it is called off. */
export function untilAborted(signal: AbortSignal): Deadline {
  return { signal, isPast: () => signal.aborted };
}

/** Does the work, which has `ms` milliseconds of `clock` for it and has to end by itself when they are over. */
export function withDeadline<Answer>(
  clock: Clock,
  ms: number,
  work: (deadline: Deadline) => Promise<Answer>,
): Promise<Answer> {
  return createDeadlines(clock, ms).within(work);
}

/** For work that is done over and over, much of it at once, each time with as long for it. */
export interface Deadlines {
  within<Answer>(work: (deadline: Deadline) => Promise<Answer>): Promise<Answer>;
}

/** `ms`: of `clock`. */
export function createDeadlines(clock: Clock, ms: number): Deadlines {
  const timeouts = createTimeouts(clock, ms);
  return {
    async within(work) {
      const startedAt = clock.now();
      const timeout = new AbortController();
      const callOff = timeouts.start(() => timeout.abort());
      try {
        return await work({ signal: timeout.signal, isPast: () => clock.now() >= startedAt + ms });
      } finally {
        callOff();
      }
    },
  };
}

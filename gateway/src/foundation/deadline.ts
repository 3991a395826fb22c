/** The time by which a call to another system must end, on the caller's clock. */
import type { Clock } from './clock.ts';
import { createTimeouts } from './timeouts.ts';

export interface Deadline {
  /** Aborts when the time has passed. In a process that was suspended, it aborts a moment after the process resumes. */
  readonly signal: AbortSignal;
  /** Reads the clock, so it is correct even directly after a suspension. Check it right before each write. */
  isPast(): boolean;
}

/** Returns a deadline without an end, for work that runs until its caller aborts it. */
export function untilAborted(signal: AbortSignal): Deadline {
  return { signal, isPast: () => signal.aborted };
}

/** Runs the work with a deadline of `ms` milliseconds of `clock`. The work must end by itself at the deadline. */
export function withDeadline<Answer>(
  clock: Clock,
  ms: number,
  work: (deadline: Deadline) => Promise<Answer>,
): Promise<Answer> {
  return createDeadlines(clock, ms).within(work);
}

/** The same time limit for many runs of the same work, often concurrent. */
export interface Deadlines {
  within<Answer>(work: (deadline: Deadline) => Promise<Answer>): Promise<Answer>;
}

/** `ms` is a number of milliseconds of `clock`. */
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

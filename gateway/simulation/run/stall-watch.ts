/**
 * Ends a run that makes no progress, and reports what it waits for: either the gateway has a deadlock, or the simulation has a
 * bug. Only seconds in which this process ran count, so that a busy machine does not end a run.
 */
import { clearInterval, setInterval } from 'node:timers';
import { type Instant, SECOND_MS } from '../../src/foundation/clock.ts';

interface Watched {
  /** Returns a number that increases with each statement, message and clock jump of the run. */
  readonly steps: () => number;
  /** The simulated time. */
  readonly now: () => Instant;
  /** Resolves to true while PostgreSQL executes a statement of the run that does not wait for a lock. */
  readonly isComputing: () => Promise<boolean>;
  readonly describe: () => Promise<string>;
}

interface StallLimits {
  readonly tickMs: number;
  /** The limit on ticks without a step. */
  readonly ticks: number;
  /** The limit on ticks without a step while PostgreSQL executes a statement. */
  readonly computingTicks: number;
  /** The limit on steps at one simulated moment. The gateway exceeds it if it retries work without a pause. */
  readonly stepsOfMoment: number;
}

const LIMITS: StallLimits = { tickMs: SECOND_MS, ticks: 60, computingTicks: 600, stepsOfMoment: 500_000 };

interface StallWatch {
  /** Rejects if the run makes no progress. Never resolves. */
  readonly stalled: Promise<never>;
  end(): void;
}

/** Thrown when the run cannot continue and none of its parts can be closed. */
export class RunStalled extends Error {
  override readonly name = 'RunStalled';
}

export function watchProgress({ steps, now, isComputing, describe }: Watched, limits = LIMITS): StallWatch {
  const { promise: stalled, reject } = Promise.withResolvers<never>();
  stalled.catch(() => {});
  let last = steps();
  let still = 0;
  let moment = { at: now(), since: last };

  async function fail(what: string): Promise<void> {
    clearInterval(timer);
    reject(new RunStalled(`${what}: ${await describe().catch(String)}`));
  }

  async function look(): Promise<void> {
    const current = steps();
    if (now() !== moment.at) moment = { at: now(), since: current };
    still = current === last ? still + 1 : 0;
    last = current;
    if (current - moment.since > limits.stepsOfMoment)
      return fail(`the run made ${current - moment.since} steps at one moment`);
    if (still < limits.ticks) return;
    if (still < limits.computingTicks && (await isComputing().catch(() => false))) return;
    if (steps() === last) await fail(`the run made no step for ${still} s`);
  }

  const timer = setInterval(() => void look(), limits.tickMs);
  return { stalled, end: () => clearInterval(timer) };
}

/** Runs the tasks that are due by time rather than by an event. One process at a time runs each task. */
import { type Clock, SECOND_MS } from '../foundation/clock.ts';

export interface PeriodicTask {
  readonly name: string;
  /** The time from the end of one run to the start of the next, or that time by the duration of the run. */
  readonly everyMs: number | ((costMs: number) => number);
  /** The time from the start of the process to the first run. Defaults to 0. */
  readonly afterMs?: number;
  /** The longest time from a failed run to the next run. Defaults to everyMs. */
  readonly retryUpToMs?: number;
  readonly run: (signal: AbortSignal) => Promise<unknown>;
}

interface PeriodicWorkParts {
  readonly tasks: readonly PeriodicTask[];
  /** Runs `work` unless another process is running the same task. If undefined, each process runs the tasks for itself. */
  readonly exclusively?: (task: string, work: () => Promise<unknown>) => Promise<void>;
  readonly clock: Clock;
  /** Resolves to false if the two clocks differ too much. The tasks then wait. If undefined, the tasks need no clock. */
  readonly clockIsRight?: () => Promise<boolean>;
  readonly onProblem: (problem: string, error: unknown) => void;
}

export interface PeriodicWork {
  start(): void;
  /** Starts nothing more. Resolves when the current run has ended. */
  stop(): Promise<void>;
}

/** A short outage must not delay hourly work by an hour. */
const FIRST_RETRY_MS = 30 * SECOND_MS;

function retryAfterMs(failures: number): number {
  return FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 16);
}

export function createPeriodicWork({
  tasks,
  exclusively = async (_task, work) => void (await work()),
  clock,
  clockIsRight = async () => true,
  onProblem,
}: PeriodicWorkParts): PeriodicWork {
  const stopping = new AbortController();
  let running: Promise<unknown> | undefined;

  async function repeat(task: PeriodicTask): Promise<void> {
    let failures = 0;
    if (task.afterMs) await clock.sleep(task.afterMs, stopping.signal);
    while (!stopping.signal.aborted) {
      const startedAt = clock.now();
      try {
        const hasRun = await runOnce(task);
        failures = hasRun ? 0 : 1;
      } catch (error) {
        failures += 1;
        onProblem(`periodic work failed: ${task.name}`, error);
      }
      const everyMs = typeof task.everyMs === 'number' ? task.everyMs : task.everyMs(clock.now() - startedAt);
      const { retryUpToMs = everyMs } = task;
      await clock.sleep(failures === 0 ? everyMs : Math.min(retryUpToMs, retryAfterMs(failures)), stopping.signal);
    }
  }

  /** Resolves to false if the clock is wrong. The task would then end or destroy objects that are not due, so it waits. */
  async function runOnce({ name, run }: PeriodicTask): Promise<boolean> {
    if (!(await clockIsRight())) return false;
    await exclusively(name, () => run(stopping.signal));
    return true;
  }

  return {
    start() {
      running ??= Promise.all(tasks.map(repeat));
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

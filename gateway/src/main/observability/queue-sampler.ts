/**
 * Samples the queues every few seconds. A sample costs more the longer the queues are, so the pause grows with the cost.
 * Sampling must not slow down a gateway that has a backlog.
 */

import type { QueueStatistics } from '../../domain/monitoring/queue-statistics.ts';
import { type Clock, type Instant, SECOND_MS } from '../../foundation/clock.ts';
import { createPeriodicWork, type PeriodicWork } from '../../worker/periodic-work.ts';

interface QueueSamplerParts {
  readonly read: (now: Instant) => Promise<QueueStatistics>;
  readonly onSample: (statistics: QueueStatistics, now: Instant) => void;
  readonly onProblem: (problem: string, error: unknown) => void;
  readonly clock: Clock;
}

const PAUSE_MS = 5 * SECOND_MS;
/** Limits sampling to a twentieth of the time. */
const PAUSE_PER_COST = 19;

export function createQueueSampler({ read, onSample, onProblem, clock }: QueueSamplerParts): PeriodicWork {
  /** A failed sample may have been a slow one, so the same pause follows. */
  const run = async () => {
    const startedAt = clock.now();
    try {
      onSample(await read(startedAt), startedAt);
    } catch (error) {
      onProblem('the queues could not be sampled', error);
    }
  };
  const everyMs = (costMs: number) => Math.max(PAUSE_MS, PAUSE_PER_COST * costMs);
  return createPeriodicWork({
    tasks: [{ name: 'sample the queues', everyMs, run }],
    clock,
    onProblem,
  });
}

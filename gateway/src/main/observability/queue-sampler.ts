/**
 * Samples the queues every few seconds. A sample costs more the longer the queues are, so the pause grows with the cost.
 * Sampling must not slow down a gateway that has a backlog.
 */

import type { QueueStatistics } from '../../domain/monitoring/queue-statistics.ts';
import { type Clock, type Instant, SECOND_MS } from '../../foundation/clock.ts';

interface QueueSamplerParts {
  readonly read: (now: Instant) => Promise<QueueStatistics>;
  readonly onSample: (statistics: QueueStatistics, now: Instant) => void;
  readonly onProblem: (problem: string, error: unknown) => void;
  readonly clock: Clock;
}

interface QueueSampler {
  start(): void;
  stop(): Promise<void>;
}

const PAUSE_MS = 5 * SECOND_MS;
/** Limits sampling to a twentieth of the time. */
const PAUSE_PER_COST = 19;

export function createQueueSampler({ read, onSample, onProblem, clock }: QueueSamplerParts): QueueSampler {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const startedAt = clock.now();
      try {
        onSample(await read(startedAt), startedAt);
      } catch (error) {
        onProblem('the queues could not be sampled', error);
      }
      await clock.sleep(Math.max(PAUSE_MS, PAUSE_PER_COST * (clock.now() - startedAt)), stopping.signal);
    }
  }

  return {
    start() {
      running ??= run();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

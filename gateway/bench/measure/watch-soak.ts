/** Samples the queues and the gateway's memory while a long load runs. */
import { systemClock } from '../../src/foundation/clock.ts';
import { monotonicMs } from '../load/monotonic-clock.ts';
import type { Stage } from '../stage/stage.ts';
import { gatewayMemory } from './gateway-memory.ts';
import { MEGABYTE } from './process-table.ts';
import { callbacksDue, jobsOpen } from './queues.ts';
import type { Point } from './statistics.ts';

/** What was observed, with times in seconds since the beginning. */
export interface Watched {
  readonly jobs: readonly Point[];
  readonly callbacks: readonly Point[];
  /** The memory in megabytes, by process. */
  readonly rss: ReadonlyMap<string, Point[]>;
  readonly heap: ReadonlyMap<string, Point[]>;
}

const LOOK_EVERY_MS = 1_000;
/** Reading the heap size slows a process down, so memory is sampled less often. */
const MEMORY_EVERY_LOOKS = 5;
const REPORT_EVERY_LOOKS = 30;

/** Starts sampling. Returns a function that stops it. */
export function watchSoak(stage: Stage, onProgress: (line: string) => void): () => Promise<Watched> {
  const watched = {
    jobs: [] as Point[],
    callbacks: [] as Point[],
    rss: new Map<string, Point[]>(),
    heap: new Map<string, Point[]>(),
  };
  const stopping = new AbortController();
  const startedAt = monotonicMs();
  const watch = async () => {
    for (let look = 0; !stopping.signal.aborted; look++) {
      const second = (monotonicMs() - startedAt) / 1_000;
      const [jobs, callbacks] = [await jobsOpen(stage), await callbacksDue(stage)];
      watched.jobs.push([second, jobs]);
      watched.callbacks.push([second, callbacks]);
      if (look % MEMORY_EVERY_LOOKS === 0) await lookAtMemory(stage, watched, second);
      if (look % REPORT_EVERY_LOOKS === 0)
        onProgress(`${Math.round(second)} s in: ${jobs} payouts in flight, ${callbacks} callbacks due`);
      const nextAt = startedAt + (look + 1) * LOOK_EVERY_MS;
      await systemClock.sleep(Math.max(0, nextAt - monotonicMs()), stopping.signal);
    }
  };
  const watching = watch();
  return async () => {
    stopping.abort();
    await watching;
    return watched;
  };
}

async function lookAtMemory(
  stage: Stage,
  { rss, heap }: { rss: Map<string, Point[]>; heap: Map<string, Point[]> },
  second: number,
): Promise<void> {
  const seen = new Map<string, number>();
  for (const { kind, rssBytes, heapBytes } of await gatewayMemory(stage)) {
    const count = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, count);
    const name = count === 1 ? kind : `${kind} ${count}`;
    pointsOf(rss, name).push([second, rssBytes / MEGABYTE]);
    if (heapBytes !== null) pointsOf(heap, name).push([second, heapBytes / MEGABYTE]);
  }
}

function pointsOf(series: Map<string, Point[]>, name: string): Point[] {
  const points = series.get(name) ?? [];
  series.set(name, points);
  return points;
}

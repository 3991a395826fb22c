/** Runs one load and measures its cost. */
import { systemClock } from '../../src/foundation/clock.ts';
import type { LoadOrder, SubjectName, Times } from '../load/load-order.ts';
import type { LoadResult } from '../load/run-load.ts';
import { MERCHANTS } from '../stage/bench-merchants.ts';
import type { Bench, Row } from './bench.ts';
import { gatewayMemory } from './gateway-memory.ts';
import { beginUsage, unitCost } from './usage.ts';

interface LoadPlan {
  readonly subject: SubjectName;
  readonly url: URL;
  readonly connections: number;
  /** Defaults to the benchmark's duration. */
  readonly seconds?: number;
  /** Requests per second. If undefined, the load is a closed loop. */
  readonly rate?: number;
  readonly merchants?: number;
  readonly clabes?: readonly string[];
  readonly wantsTimes?: boolean;
}

export interface Measured {
  readonly row: Row;
  readonly result: LoadResult;
  readonly times: Times | null;
}

/**
 * The number of requests to build in advance for a closed loop with many connections. For a faster server, the load builds
 * more while it runs.
 */
const AHEAD_PER_SECOND = 16_000;
const AHEAD_CONNECTIONS = 16;
/** Limits memory: a request takes a few hundred bytes. */
const MOST_PREPARED = 200_000;

const EPOCH = Date.UTC(2026, 0, 1);
/** A rate above the average of any run over its whole duration. */
const NUMBERS_PER_SECOND = 20_000;
/** Starts after the numbers that an earlier run used in a kept database. */
let nextIndex = Math.floor((systemClock.now() - EPOCH) / 1_000) * NUMBERS_PER_SECOND;

/** Runs a load and discards its results. Meanwhile caches fill, the compiler optimises and connections open. */
export async function warmUp(bench: Bench, plan: LoadPlan): Promise<void> {
  await run(bench, plan, async () => {});
}

export async function measureLoad(bench: Bench, what: string, plan: LoadPlan): Promise<Measured> {
  const { stage, onProgress } = bench;
  onProgress(what);
  let endUsage: Awaited<ReturnType<typeof beginUsage>> | undefined;
  const { result, times } = await run(bench, plan, async () => {
    endUsage = await beginUsage(stage);
  });
  const usage = await endUsage?.();
  const { sent, shed, bad, dropped, unsent } = result;
  const row: Row = {
    what,
    rate: result.rate,
    latencyMs: result.latencyMs,
    counts: { sent, shed, bad, dropped, unsent },
    memory: await gatewayMemory(stage),
    ...(usage ? { cost: unitCost(usage, result.good) } : {}),
  };
  if (result.good === 0 && result.shed === 0)
    throw new Error(`${what}: nothing was accepted; ${result.complaint ?? 'no response arrived'}`);
  return { row, result, times };
}

async function run({ stage, seconds: usual }: Bench, plan: LoadPlan, beforeBegin: () => Promise<void>) {
  const { seconds = usual, merchants = MERCHANTS, url, connections, ...rest } = plan;
  const expected = seconds * (plan.rate ?? AHEAD_PER_SECOND * Math.min(1, connections / AHEAD_CONNECTIONS));
  const order: LoadOrder = {
    ...rest,
    url: url.href,
    connections,
    merchants,
    durationMs: seconds * 1_000,
    firstIndex: nextIndex,
    prepare: Math.ceil(Math.min(expected, MOST_PREPARED)),
  };
  const outcome = await stage.load.run(order, beforeBegin);
  nextIndex += outcome.used;
  return outcome;
}

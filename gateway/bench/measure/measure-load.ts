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
  /** Default: the benchmark's own. */
  readonly seconds?: number;
  /** Requests a second; default: closed loop. */
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
 * Requests built in advance, for a closed loop with this many connections or more. For a faster server the load builds more
 * while it runs.
 */
const AHEAD_PER_SECOND = 16_000;
const AHEAD_CONNECTIONS = 16;
/** A request takes a few hundred bytes. */
const MOST_PREPARED = 200_000;

const EPOCH = Date.UTC(2026, 0, 1);
/** More than a run sends to the gateway on average over its entire time. */
const NUMBERS_PER_SECOND = 20_000;
/** Numbers begin after those that an earlier run sent to a kept database. */
let nextIndex = Math.floor((systemClock.now() - EPOCH) / 1_000) * NUMBERS_PER_SECOND;

/** Discards the results. Caches fill, the compiler optimises, connections open. */
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

/**
 * Payouts arrive at a fixed rate while a worker, the banks and a merchant's server run, all on this machine. The scenario
 * measures whether the queues stay short, how long a payout takes from acceptance to callback, and whether memory stays
 * constant.
 */
import { systemClock } from '../../src/foundation/clock.ts';
import { latencyOf } from '../load/latency.ts';
import type { Times } from '../load/load-order.ts';
import { monotonicMs } from '../load/monotonic-clock.ts';
import { payoutIdOf } from '../load/payout-ids.ts';
import type { Bench, Row } from '../measure/bench.ts';
import { measureLoad } from '../measure/measure-load.ts';
import { EMPTY_WITHIN_MS, stepsOpen, untilEmpty } from '../measure/queues.ts';
import { type Point, slopeOf } from '../measure/statistics.ts';
import { type Watched, watchSoak } from '../measure/watch-soak.ts';
import type { Stage } from '../stage/stage.ts';

const SOAK_CONNECTIONS = 128;
/** The first part of a soak, in which the compiler optimises and caches fill. An increase in this part alone is not growth. */
const WARM_UP_PART = 0.2;

export interface Soak {
  readonly accepted: Row;
  readonly toCallback: Row;
  readonly watched: Watched;
  /** The increase of waiting payouts per second after the warm-up. */
  readonly queueGrowth: number;
}

/** Runs `measure` without a worker, then drains the backlog before it resolves. */
type WithoutWorker = <Result>(measure: () => Promise<Result>) => Promise<Result>;

/** Runs all participants until `work` resolves. */
export async function withEverything<Result>(
  { stage, onProgress }: Bench,
  work: (withoutWorker: WithoutWorker) => Promise<Result>,
): Promise<Result> {
  const banks = await stage.startBanks();
  const receiver = await stage.startReceiver();
  const api = await stage.startGateway('api');
  const startWorker = async () => {
    const started = await stage.startGateway('worker');
    await untilEmpty(
      () => stepsOpen(stage),
      (left) => onProgress(`${left} left from before`),
    );
    return started;
  };
  let worker = await startWorker();
  const result = await work(async (measure) => {
    await worker.stop();
    const measured = await measure();
    worker = await startWorker();
    return measured;
  });
  await Promise.all([api.stop(), worker.stop()]);
  await Promise.all([banks.stop(), receiver.stop()]);
  return result;
}

export async function soak(bench: Bench, what: string, rate: number, seconds: number): Promise<Soak> {
  const { stage, onProgress } = bench;
  const endWatch = watchSoak(stage, (line) => onProgress(`${what}: ${line}`));
  const { row, times } = await measureLoad(bench, what, {
    subject: 'payout',
    url: stage.gatewayUrl,
    connections: SOAK_CONNECTIONS,
    rate,
    seconds,
    wantsTimes: true,
  });
  const watched = await endWatch();
  await untilEmpty(
    () => stepsOpen(stage),
    (left) => onProgress(`${what}: ${left} left`),
    Math.max(EMPTY_WITHIN_MS, seconds * 2_000),
  );
  return { accepted: row, toCallback: await pathRow(stage, what, times), watched, queueGrowth: growthOf(watched) };
}

function growthOf({ jobs, callbacks }: Watched): number {
  const waiting = jobs.map(([second, count], at): Point => [second, count + (callbacks[at]?.[1] ?? 0)]);
  return slopeOf(afterWarmUp(waiting));
}

export function afterWarmUp(points: readonly Point[]): readonly Point[] {
  return points.slice(Math.floor(points.length * WARM_UP_PART));
}

/** Measures from the response to the merchant until the callback arrives at the merchant's server. */
async function pathRow(stage: Stage, what: string, times: Times | null): Promise<Row> {
  if (!times) throw new Error('the load kept no times');
  const { arrivals, requests } = await stage.callbacksReceived();
  const arrivedAt = await byPayoutId(stage, new Map(arrivals));
  const waits = Float64Array.from(times.index, (index, at) => {
    const arrived = arrivedAt.get(payoutIdOf(index));
    if (arrived === undefined)
      throw new Error(`the payout ${payoutIdOf(index)} was accepted and its callback never arrived`);
    return arrived - (times.answeredAt[at] ?? 0);
  });
  const first = times.answeredAt[0] ?? 0;
  const last = times.index.reduce((latest, index) => Math.max(latest, arrivedAt.get(payoutIdOf(index)) ?? 0), first);
  return {
    what: `${what}: from acceptance to callback`,
    rate: (waits.length / Math.max(1, last - first)) * 1_000,
    latencyMs: latencyOf(waits),
    notes: `${requests - arrivals.length} callbacks arrived twice`,
  };
}

async function byPayoutId({ admin }: Stage, arrivedAt: ReadonlyMap<string, number>): Promise<Map<string, number>> {
  const rows = await admin.query<{ callback_id: string; payout_id: string }>(
    `select callback_id, subject_id as payout_id from callbacks where subject = 'payout' and created_at >= $1`,
    [new Date(systemClock.now() - monotonicMs() + firstOf(arrivedAt) - EARLIEST_MS).toISOString()],
  );
  const found = new Map<string, number>();
  for (const { callback_id, payout_id } of rows) {
    const at = arrivedAt.get(callback_id);
    if (at !== undefined) found.set(payout_id, at);
  }
  return found;
}

/** How far back to search: the gateway records a callback at most this long before it arrives. */
const EARLIEST_MS = 600_000;

function firstOf(arrivedAt: ReadonlyMap<string, number>): number {
  let first = monotonicMs();
  for (const at of arrivedAt.values()) first = Math.min(first, at);
  return first;
}

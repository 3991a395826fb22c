/**
 * Measures from acceptance until the merchant accepts the callback of the final state: a worker empties a backlog, all on this
 * machine.
 */

import { monotonicMs } from '../load/monotonic-clock.ts';
import type { Bench, Findings, Row } from '../measure/bench.ts';
import { gatewayMemory } from '../measure/gateway-memory.ts';
import { measureLoad, warmUp } from '../measure/measure-load.ts';
import { callbacksDue, stepsOpen, untilAtMost, untilEmpty } from '../measure/queues.ts';
import { beginUsage, unitCost } from '../measure/usage.ts';
import type { StagedProcess } from '../stage/staged-process.ts';
import { besideFixedFloor } from './beside-fixed-floor.ts';
import { CONNECTIONS, halfOf } from './usual.ts';

/** `acceptRate` is the rate to compare with. If null, this scenario measures it. */
export async function measureDrainBesideFloor(bench: Bench, acceptRate: number | null): Promise<Findings> {
  const { result, floor, floorRate } = await besideFixedFloor(bench, () => measureDrain(bench, acceptRate));
  const { rate = 0 } = result.figures ?? {};
  return {
    rows: [...floor, ...result.rows],
    figures: { ...result.figures, fixedFloorRate: floorRate, ofFixedFloor: rate / floorRate },
  };
}

export async function measureDrain(bench: Bench, acceptRate: number | null): Promise<Findings> {
  const { stage } = bench;
  const banks = await stage.startBanks();
  const receiver = await stage.startReceiver();
  const api = await stage.startGateway('api');
  const load = {
    subject: 'payout',
    url: stage.gatewayUrl,
    connections: CONNECTIONS,
    seconds: halfOf(bench),
  } as const;
  await warmUp(bench, load);
  const accepted = await measureLoad(bench, 'drain: accepting the backlog', load);
  // The API keeps running: it receives the bank's notification of each payout.
  const row = await drainQueue(bench, 'drain', () => stepsOpen(stage));
  await Promise.all([api.stop(), banks.stop(), receiver.stop()]);
  const against = acceptRate ?? accepted.row.rate;
  const [accepting, draining] = [ownCpuOf(accepted.row), ownCpuOf(row)];
  return {
    rows: [accepted.row, { ...row, ratios: { 'of accept': row.rate / against } }],
    figures: {
      rate: row.rate,
      acceptRate: against,
      ofAccept: row.rate / against,
      acceptCpuMicros: accepting,
      drainCpuMicros: draining,
      wholeLifeCpuMicros: accepting + draining,
      drainWalBytes: row.cost?.walBytes ?? 0,
      drainCommits: row.cost?.commits ?? 0,
    },
  };
}

/**
 * Returns the CPU time per payout of the gateway's (or a floor's) processes and PostgreSQL, in µs. It excludes the banks, the
 * receiver and the load.
 */
export function ownCpuOf({ cost }: Row): number {
  const { api = 0, worker = 0, gateway = 0, 'http floor': floor = 0, postgres = 0 } = cost?.cpuMicros ?? {};
  return api + worker + gateway + floor + postgres;
}

/**
 * Measures delivery alone: the callbacks of final payouts, all due at once. Compares them with the same requests sent without
 * the gateway.
 */
export async function measureCallbacks(bench: Bench): Promise<Findings> {
  const { stage } = bench;
  const banks = await stage.startBanks();
  const receiver = await stage.startReceiver();
  const plan = { subject: 'callback', url: stage.receiverUrl, connections: CONNECTIONS } as const;
  const received = await measureLoad(bench, 'callbacks: the receiver floor', plan);
  await stage.admin.query(
    `update callbacks set state = 'due', due_at = now(), finished_at = null where state = 'delivered'`,
  );
  await stage.admin.query(`update callback_lanes set due_at = now()`);
  const { result, floor, floorRate } = await besideFixedFloor(bench, () =>
    drainQueue(bench, 'callbacks', () => callbacksDue(stage)),
  );
  await Promise.all([banks.stop(), receiver.stop()]);
  const { rate } = result;
  const figures = { ofReceiverFloor: rate / received.row.rate, ofFixedFloor: rate / floorRate };
  const ratios = { 'of receiver floor': figures.ofReceiverFloor, 'of fixed floor': figures.ofFixedFloor };
  return {
    rows: [received.row, ...floor, { ...result, ratios }],
    figures: { rate, fixedFloorRate: floorRate, ...figures, cpuMicros: ownCpuOf(result) },
  };
}

/** The part of the queue that the worker empties before the measurement, while the compiler optimises its code. */
const WARM_UP_PART = 1 / 4;

/** Measures how fast a warm worker empties a queue. `start` starts the worker. */
export async function drainQueue(
  bench: Bench,
  what: string,
  left: () => Promise<number>,
  start: () => Promise<StagedProcess> = () => bench.stage.startGateway('worker'),
): Promise<Row> {
  const { stage, onProgress } = bench;
  const all = await left();
  const worker = await start();
  const onLeft = (open: number) => onProgress(`${what}: ${open} left`);
  await untilAtMost(all * (1 - WARM_UP_PART), left, onLeft);
  const endUsage = await beginUsage(stage);
  const startedAt = monotonicMs();
  const waiting = await left();
  await untilEmpty(left, onLeft);
  const elapsedMs = monotonicMs() - startedAt;
  const usage = await endUsage();
  const memory = await gatewayMemory(stage);
  await worker.stop();
  const notes = `${waiting} in ${(elapsedMs / 1_000).toFixed(1)} s`;
  return { what, rate: (waiting / elapsedMs) * 1_000, cost: unitCost(usage, waiting), memory, notes };
}

/**
 * Measures from acceptance until the callback of the final payout is accepted: a worker and a backlog, all on this machine.
 */
import { monotonicMs } from '../load/monotonic-clock.ts';
import type { Bench, Findings, Row } from '../measure/bench.ts';
import { gatewayMemory } from '../measure/gateway-memory.ts';
import { measureLoad } from '../measure/measure-load.ts';
import { callbacksDue, stepsOpen, untilEmpty } from '../measure/queues.ts';
import { beginUsage, unitCost } from '../measure/usage.ts';
import { CONNECTIONS, halfOf } from './usual.ts';

/** `acceptRate`: the rate to compare with; null: the rate at which this scenario itself accepts payouts. */
export async function measureDrain(bench: Bench, acceptRate: number | null): Promise<Findings> {
  const { stage } = bench;
  const banks = await stage.startBanks();
  const receiver = await stage.startReceiver();
  const api = await stage.startGateway('api');
  const accepted = await measureLoad(bench, 'drain: accepting the backlog', {
    subject: 'payout',
    url: stage.gatewayUrl,
    connections: CONNECTIONS,
    seconds: halfOf(bench),
  });
  // The API keeps running: it receives the bank's notification of each payout.
  const row = await drainQueue(bench, 'drain', () => stepsOpen(stage));
  await Promise.all([api.stop(), banks.stop(), receiver.stop()]);
  const against = acceptRate ?? accepted.row.rate;
  return {
    rows: [accepted.row, { ...row, ratios: { 'of accept': row.rate / against } }],
    figures: { rate: row.rate, acceptRate: against, ofAccept: row.rate / against },
  };
}

/**
 * Measures delivery alone: the callbacks of final payouts, all due. Compares them with the same requests without the
 * gateway.
 */
export async function measureCallbacks(bench: Bench): Promise<Findings> {
  const { stage } = bench;
  const banks = await stage.startBanks();
  const receiver = await stage.startReceiver();
  const plan = { subject: 'callback', url: stage.receiverUrl, connections: CONNECTIONS } as const;
  const floor = await measureLoad(bench, 'callbacks: the receiver floor', plan);
  await stage.admin.query(
    `update callbacks set state = 'due', due_at = now(), finished_at = null where state = 'delivered'`,
  );
  await stage.admin.query(`update callback_lanes set due_at = now()`);
  const row = await drainQueue(bench, 'callbacks', () => callbacksDue(stage));
  await Promise.all([banks.stop(), receiver.stop()]);
  return {
    rows: [floor.row, { ...row, ratios: { 'of receiver floor': row.rate / floor.row.rate } }],
    figures: { rate: row.rate, ofReceiverFloor: row.rate / floor.row.rate },
  };
}

/** Measures a worker that empties a queue, from when the worker is ready. */
async function drainQueue(bench: Bench, what: string, left: () => Promise<number>): Promise<Row> {
  const { stage, onProgress } = bench;
  const worker = await stage.startGateway('worker');
  const endUsage = await beginUsage(stage);
  const startedAt = monotonicMs();
  const waiting = await left();
  await untilEmpty(left, (open) => onProgress(`${what}: ${open} left`));
  const elapsedMs = monotonicMs() - startedAt;
  const usage = await endUsage();
  const memory = await gatewayMemory(stage);
  await worker.stop();
  const notes = `${waiting} in ${(elapsedMs / 1_000).toFixed(1)} s`;
  return { what, rate: (waiting / elapsedMs) * 1_000, cost: unitCost(usage, waiting), memory, notes };
}

/**
 * Measures upper bounds for a worker with this wire protocol, and the minimum CPU time of a payout from acceptance to
 * callback. It uses narrow rows, the bank, the receiver and both signatures, but decides nothing. A target beyond these bounds
 * is known to be unreachable.
 */
import { NARROW_ROW } from '../floors/batch-commits.ts';
import { NARROW_DRAIN } from '../floors/narrow-drain.ts';
import type { Bench, Findings, Row } from '../measure/bench.ts';
import { measureLoad, warmUp } from '../measure/measure-load.ts';
import { numberOf } from '../stage/admin-client.ts';
import { besideFixedFloor } from './beside-fixed-floor.ts';
import { drainQueue, ownCpuOf } from './drain.ts';
import { CONNECTIONS, halfOf, WARM_UP_SECONDS } from './usual.ts';

/**
 * Per second of the benchmark: about the rate at which a gateway accepts payouts, so that the backlog is as long as in
 * scenario drain.
 */
const PAYOUTS_PER_SECOND = 10_000;

export async function measureDrainCeilings(bench: Bench): Promise<Findings> {
  const accepted = await acceptNarrow(bench);
  const { result, floor, floorRate } = await besideFixedFloor(bench, () => drainNarrow(bench));
  const [accepting, draining] = [ownCpuOf(accepted), ownCpuOf(result)];
  const ofFixedFloor = result.rate / floorRate;
  return {
    rows: [accepted, ...floor, { ...result, ratios: { 'of fixed floor': ofFixedFloor } }],
    figures: {
      rate: result.rate,
      fixedFloorRate: floorRate,
      ofFixedFloor,
      acceptCpuMicros: accepting,
      drainCpuMicros: draining,
      wholeLifeCpuMicros: accepting + draining,
    },
  };
}

/** Measures the ceiling of scenario ceilings again, so that the acceptance and the drain have the same probes. */
async function acceptNarrow(bench: Bench): Promise<Row> {
  const { stage } = bench;
  for (const prepare of NARROW_ROW.prepare) await stage.admin.query(prepare);
  const server = await stage.startHttpFloor({ commits: { statement: NARROW_ROW.statement, firstNumber: 0 } });
  const load = { subject: 'payout', connections: CONNECTIONS, url: server.url } as const;
  await warmUp(bench, { ...load, seconds: WARM_UP_SECONDS });
  const { row } = await measureLoad(bench, 'drain-ceilings: accept, one narrow row', {
    ...load,
    seconds: halfOf(bench),
  });
  await server.stop();
  for (const clean of NARROW_ROW.clean) await stage.admin.query(clean);
  return row;
}

async function drainNarrow(bench: Bench): Promise<Row> {
  const { stage } = bench;
  const payouts = PAYOUTS_PER_SECOND * bench.seconds;
  for (const prepare of NARROW_DRAIN.prepare(payouts)) await stage.admin.query(prepare);
  const banks = await stage.startBanks();
  const receiver = await stage.startReceiver();
  // Listens at the gateway's address, to which the banks send their notifications.
  const notified = await stage.startHttpFloor({ port: Number(stage.gatewayUrl.port) });
  const left = () => numberOf(stage.admin, NARROW_DRAIN.left);
  const row = await drainQueue(bench, 'drain, narrow rows', left, () => stage.startDrainFloor(payouts));
  await Promise.all([notified.stop(), banks.stop(), receiver.stop()]);
  for (const clean of NARROW_DRAIN.clean) await stage.admin.query(clean);
  return row;
}

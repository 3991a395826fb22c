/** Measures deposits: how fast the gateway creates them, and the time from a payer's transfer to the merchant's callback. */
import { CREATE_DEPOSIT_FLOOR, RECEIPT_FLOOR } from '../floors/deposit-floors.ts';
import { openSqlFloor, sqlRow } from '../floors/sql-floor.ts';
import { latencyOf } from '../load/latency.ts';
import type { Times } from '../load/load-order.ts';
import type { Bench, Findings, Row } from '../measure/bench.ts';
import { measureLoad } from '../measure/measure-load.ts';
import { callbacksDue, untilEmpty } from '../measure/queues.ts';
import { numberOf } from '../stage/admin-client.ts';
import { measureAnswers } from './accept.ts';
import { besideFixedFloor } from './beside-fixed-floor.ts';
import { CONNECTIONS, halfOf } from './usual.ts';

/** Measures the creation of deposits, each acknowledged after its commit. */
export function measureCreate(bench: Bench): Promise<Findings> {
  return measureAnswers(bench, { name: 'create deposit', subject: 'deposit', sqlFloor: CREATE_DEPOSIT_FLOOR });
}

const WARM_UP_SECONDS = 3;
/** More than the gateway can process, so that a load rarely runs out of deposits. Each deposit is paid once. */
const MOST_ABONOS_PER_SECOND = 3_000;

/**
 * Measures from the abono that the bank sends until the merchant accepts the callback. One gateway process does all the work,
 * on one machine.
 */
export async function measureAbonos(bench: Bench): Promise<Findings> {
  const { result, floor, floorRate } = await besideFixedFloor(bench, () => measureReceiving(bench));
  const ofFixedFloor = (result.figures?.['rate'] ?? 0) / floorRate;
  return {
    rows: [...floor, ...result.rows],
    figures: { ...result.figures, fixedFloorRate: floorRate, ofFixedFloor },
  };
}

async function measureReceiving(bench: Bench): Promise<Findings> {
  const { stage, seconds, onProgress } = bench;
  const sql = await floorOf(bench);
  const banks = await stage.startBanks();
  const gateway = await stage.startGateway('all');
  const receiver = await stage.startReceiver();
  const waiting = await openDeposits(bench, (seconds * 2 + WARM_UP_SECONDS) * MOST_ABONOS_PER_SECOND);
  const take = (wanted: number) => waiting.splice(0, wanted);
  onProgress('abonos: warming up');
  await payAll(
    { ...bench, seconds: WARM_UP_SECONDS },
    'abonos: warm-up',
    take(WARM_UP_SECONDS * MOST_ABONOS_PER_SECOND),
  );
  const many = await payAll(bench, `abonos, ${CONNECTIONS} at once`, take(seconds * MOST_ABONOS_PER_SECOND));
  const fixed = Math.round(many.toCallback.rate / 2);
  const open = await payAll(bench, `abonos, open loop at ${fixed}/s`, take(seconds * fixed), fixed);
  await Promise.all([gateway.stop(), banks.stop()]);
  await receiver.stop();
  const ratios = { 'of SQL floor': many.toCallback.rate / sql.rate };
  return {
    rows: [sql, many.answered, { ...many.toCallback, ratios }, open.answered, open.toCallback],
    figures: { rate: many.toCallback.rate, ofSqlFloor: many.toCallback.rate / sql.rate },
  };
}

async function floorOf(bench: Bench): Promise<Row> {
  const { stage, onProgress } = bench;
  onProgress('abonos: SQL floor');
  const floor = await openSqlFloor(stage, RECEIPT_FLOOR);
  const best = await floor.findBest(halfOf(bench));
  await floor.close();
  return sqlRow(`abonos: SQL floor at ${best.connections}`, best);
}

interface OpenDeposit {
  readonly clabe: string;
  readonly transactionId: string;
}

/** Opens at least `wanted` unpaid deposits and returns them in order of creation, so that merchants alternate. */
async function openDeposits(bench: Bench, wanted: number): Promise<OpenDeposit[]> {
  const { stage } = bench;
  const there = await numberOf(stage.admin, `select count(*) from deposits where state = 'pending'`);
  if (there < wanted) {
    const plan = { subject: 'deposit', url: stage.gatewayUrl, connections: CONNECTIONS } as const;
    const seconds = Math.ceil((wanted - there) / MOST_ABONOS_PER_SECOND) + 2;
    await measureLoad(bench, `abonos: ${wanted - there} more deposits to be paid`, { ...plan, seconds });
  }
  const rows = await stage.admin.query<{ clabe: string; transaction_id: string }>(
    `select pay_to as clabe, transaction_id from deposits where state = 'pending' order by transaction_id limit $1`,
    [wanted],
  );
  return rows.map((row) => ({ clabe: row.clabe, transactionId: String(row.transaction_id) }));
}

interface Paid {
  readonly answered: Row;
  readonly toCallback: Row;
}

/** Pays the deposits and waits until the callback of each was delivered. */
async function payAll(bench: Bench, what: string, deposits: readonly OpenDeposit[], rate?: number): Promise<Paid> {
  const { stage, onProgress } = bench;
  const before = await stage.callbacksReceived();
  const { row, result, times } = await measureLoad(bench, what, {
    subject: 'abono',
    url: stage.gatewayUrl,
    clabes: deposits.map(({ clabe }) => clabe),
    connections: rate === undefined ? CONNECTIONS : CONNECTIONS * 2,
    wantsTimes: true,
    ...(rate === undefined ? {} : { rate }),
  });
  await untilEmpty(
    () => callbacksDue(stage),
    (left) => onProgress(`${what}: ${left} callbacks left`),
  );
  const after = await stage.callbacksReceived();
  const arrivedAt = new Map(after.arrivals.map(([id, at]) => [id.split('_')[1] ?? '', at]));
  const paths = pathsOf(times, deposits, arrivedAt);
  const startedAt = paths.reduce((first, { dueAt }) => Math.min(first, dueAt), Number.POSITIVE_INFINITY);
  const lastAt = paths.reduce((last, { arrived }) => Math.max(last, arrived), startedAt);
  const repeated = after.requests - before.requests - (after.arrivals.length - before.arrivals.length);
  return {
    answered: row,
    toCallback: {
      what: `${what}: until the callback`,
      rate: (result.good / (lastAt - startedAt)) * 1_000,
      latencyMs: latencyOf(paths.map(({ dueAt, arrived }) => arrived - dueAt)),
      notes: `${repeated} callbacks arrived twice`,
    },
  };
}

interface Path {
  readonly dueAt: number;
  readonly arrived: number;
}

function pathsOf(
  times: Times | null,
  deposits: readonly OpenDeposit[],
  arrivedAt: ReadonlyMap<string, number>,
): Path[] {
  if (!times) return [];
  const first = times.index.reduce((least, index) => Math.min(least, index), Number.POSITIVE_INFINITY);
  return Array.from(times.index, (index, at) => {
    const deposit = deposits[index - first];
    const arrived = arrivedAt.get(deposit?.transactionId ?? '');
    if (arrived === undefined)
      throw new Error(`the deposit ${deposit?.transactionId} was paid and its callback never arrived`);
    return { dueAt: times.dueAt[at] ?? 0, arrived };
  });
}

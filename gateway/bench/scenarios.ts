/** What is measured. Each scenario gives rows of figures, each with what it is to be held against. */
import type { Queryable } from '../src/storage/database.ts';
import { type LoadResult, runLoad } from './http-load.ts';
import { BENCH_KEY, isAccepted, signedPayouts } from './signed-payouts.ts';
import { measureSqlFloor } from './sql-floor.ts';
import type { Stage } from './stage.ts';

export interface Row {
  readonly what: string;
  /** Payouts or callbacks a second. */
  readonly rate: number;
  /** This row's rate over each floor's, by the floor's name. */
  readonly ratios: Readonly<Record<string, number>>;
  readonly latencyMs?: LoadResult['latencyMs'];
  readonly notes: string;
}

export interface Bench {
  readonly stage: Stage;
  readonly seconds: number;
  /** Told what is being measured now. */
  readonly onProgress: (line: string) => void;
}

const CONNECTIONS = 64;
/** More than any server here answers, so that a closed loop never runs out of requests. */
const MOST_PER_SECOND = 15_000;

async function load(bench: Bench, url: URL, connections: number, rate?: number): Promise<LoadResult> {
  const requests = signedPayouts(
    url,
    Math.ceil(bench.seconds * (rate ?? MOST_PER_SECOND * Math.min(1, connections / 8))),
  );
  return runLoad({
    url,
    requests,
    connections,
    durationMs: bench.seconds * 1_000,
    isGood: isAccepted,
    ...(rate === undefined ? {} : { rate }),
  });
}

function noteOf({ sent, bad, dropped }: LoadResult): string {
  return `${sent} sent, ${bad} refused, ${dropped} dropped`;
}

/** Payouts answered after their commit, against the wire alone and against one payout per commit. */
export async function measureAccept(bench: Bench): Promise<Row[]> {
  const { stage } = bench;
  bench.onProgress('the HTTP floor: the same wire in front of nothing');
  const floorProcess = await stage.startHttpFloor(BENCH_KEY.reveal());
  await load({ ...bench, seconds: 2 }, floorProcess.url, CONNECTIONS);
  const floor = await load(bench, floorProcess.url, CONNECTIONS);
  await floorProcess.stop();

  bench.onProgress('the SQL floor: the same rows, one payout per commit');
  const sql = await measureSqlFloor(stage.gateway.core.connection, Math.max(2, bench.seconds / 2));

  const api = await stage.startGateway('api');
  bench.onProgress('accept, warming up');
  await load({ ...bench, seconds: 3 }, stage.gatewayUrl, CONNECTIONS);
  bench.onProgress(`accept, ${CONNECTIONS} at once`);
  const many = await load(bench, stage.gatewayUrl, CONNECTIONS);
  bench.onProgress('accept, one at a time');
  const one = await load(bench, stage.gatewayUrl, 1);
  const fixed = Math.round(many.rate / 2);
  bench.onProgress(`accept, open loop at ${fixed}/s`);
  const open = await load(bench, stage.gatewayUrl, CONNECTIONS * 2, fixed);
  await api.stop();
  const ratios = (rate: number) => ({ 'of HTTP floor': rate / floor.rate, 'of SQL floor': rate / sql.rate });
  return [
    { what: 'HTTP floor', rate: floor.rate, ratios: {}, latencyMs: floor.latencyMs, notes: noteOf(floor) },
    { what: 'SQL floor', rate: sql.rate, ratios: {}, notes: `${sql.by}, best at ${sql.concurrency} connections` },
    {
      what: `accept, ${CONNECTIONS} at once`,
      rate: many.rate,
      ratios: ratios(many.rate),
      latencyMs: many.latencyMs,
      notes: noteOf(many),
    },
    { what: 'accept, one at a time', rate: one.rate, ratios: {}, latencyMs: one.latencyMs, notes: noteOf(one) },
    {
      what: `accept, open loop ${fixed}/s`,
      rate: open.rate,
      ratios: {},
      latencyMs: open.latencyMs,
      notes: noteOf(open),
    },
  ];
}

/** From accepted to final with its callback accepted, everything on this machine. `accept`: what it is held against. */
export async function measureDrain(bench: Bench, accept: number): Promise<Row> {
  const { stage } = bench;
  const { database } = stage.gateway.core;
  const bank = await stage.startBank();
  const receiver = await stage.startReceiver();
  const api = await stage.startGateway('api');
  const accepted = await load({ ...bench, seconds: 2 }, stage.gatewayUrl, CONNECTIONS);
  await api.stop();
  const waiting = await countOf(
    database,
    `select count(*)::int as count from payout_jobs where rail = 'stand-in-bank'`,
  );
  bench.onProgress(`drain, ${waiting} payouts waiting`);
  const startedAt = performance.now();
  const worker = await stage.startGateway('worker');
  await untilDone(async () => {
    const open = `select (select count(*) from payout_jobs where rail = 'stand-in-bank')::int + (select count(*) from callbacks where state = 'due')::int as count`;
    const left = await countOf(database, open);
    bench.onProgress(`drain, ${left} steps left`);
    return left === 0;
  });
  const elapsedMs = performance.now() - startedAt;
  await Promise.all([worker.stop(), bank.stop(), receiver.stop()]);
  const rate = (waiting / elapsedMs) * 1_000;
  const notes = `${waiting} payouts in ${(elapsedMs / 1_000).toFixed(1)} s, worker's start included; ${noteOf(accepted)}`;
  return { what: 'drain', rate, ratios: { 'of accept': rate / accept }, notes };
}

/** Delivery alone: the callbacks of final payouts, due at once. Held against the same requests without the gateway. */
export async function measureCallbacks(bench: Bench): Promise<Row[]> {
  const { stage } = bench;
  const { database } = stage.gateway.core;
  const receiver = await stage.startReceiver();
  bench.onProgress('the receiver floor: requests of the same kind, nothing recorded');
  const body = 'merchant=bench-1&payout_id=B1&status=Success&code=0&description=Completed&amount=1.00&currency=EUR';
  const head = `POST / HTTP/1.1\r\nHost: ${stage.receiverUrl.host}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n`;
  const request = Buffer.from(head + body);
  const floor = await runLoad({
    url: stage.receiverUrl,
    requests: new Array(bench.seconds * MOST_PER_SECOND * 2).fill(request),
    connections: CONNECTIONS,
    durationMs: bench.seconds * 1_000,
    isGood: (status, answer) => status === 200 && answer === 'OK',
  });
  await database.query(
    `update callbacks set state = 'due', due_at = now(), finished_at = null where state = 'delivered'`,
  );
  await database.query(`update callback_lanes set due_at = now()`);
  const due = await countOf(database, `select count(*)::int as count from callbacks where state = 'due'`);
  bench.onProgress(`callbacks, ${due} due`);
  const startedAt = performance.now();
  const worker = await stage.startGateway('worker');
  await untilDone(async () => {
    const left = await countOf(database, `select count(*)::int as count from callbacks where state = 'due'`);
    bench.onProgress(`callbacks, ${left} left`);
    return left === 0;
  });
  const elapsedMs = performance.now() - startedAt;
  await Promise.all([worker.stop(), receiver.stop()]);
  const rate = (due / elapsedMs) * 1_000;
  const notes = `${due} callbacks in ${(elapsedMs / 1_000).toFixed(1)} s, worker's start included`;
  return [
    { what: 'receiver floor', rate: floor.rate, ratios: {}, latencyMs: floor.latencyMs, notes: noteOf(floor) },
    { what: 'callbacks', rate, ratios: { 'of receiver floor': rate / floor.rate }, notes },
  ];
}

const LONGEST_MS = 180_000;

async function untilDone(isDone: () => Promise<boolean>): Promise<void> {
  const startedAt = performance.now();
  while (!(await isDone())) {
    if (performance.now() - startedAt > LONGEST_MS) throw new Error('the queue did not drain in three minutes');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function countOf(database: Queryable, sql: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql);
  return row?.count ?? 0;
}

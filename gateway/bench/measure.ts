/** How a scenario measures: loads of one kind of request against the gateway, and against the floors of that kind. */
import { systemClock } from '../src/foundation/clock.ts';
import type { Queryable } from '../src/storage/database.ts';
import { BENCH_KEY } from './bench-merchants.ts';
import { type Latency, type LoadResult, runLoad } from './http-load.ts';
import { measureSqlFloor, type SqlFloorOf } from './sql-floor.ts';
import type { Stage } from './stage.ts';

export interface Row {
  readonly what: string;
  /** Payouts, deposits, abonos or callbacks a second. */
  readonly rate: number;
  /** This row's rate over each floor's, by the floor's name. */
  readonly ratios: Readonly<Record<string, number>>;
  readonly latencyMs?: Latency;
  readonly notes: string;
}

export interface Bench {
  readonly stage: Stage;
  readonly seconds: number;
  /** Told what is being measured now. */
  readonly onProgress: (line: string) => void;
}

/** One kind of request, and what it is held against. */
export interface Subject {
  readonly name: string;
  /** So many requests that were never sent before. */
  readonly requests: (url: URL, count: number) => Buffer[];
  readonly isGood: (status: number, body: string) => boolean;
  readonly sqlFloor: SqlFloorOf;
}

export const CONNECTIONS = 64;
/** More than servers here answer: a closed loop that runs out of requests ends before its time, and its rate is right. */
export const MOST_PER_SECOND = 20_000;

export function load(
  bench: Bench,
  { requests, isGood }: Subject,
  url: URL,
  connections: number,
  rate?: number,
): Promise<LoadResult> {
  const count = Math.ceil(bench.seconds * (rate ?? MOST_PER_SECOND * Math.min(1, connections / 8)));
  return runLoad({
    url,
    requests: requests(url, count),
    connections,
    durationMs: bench.seconds * 1_000,
    isGood,
    ...(rate === undefined ? {} : { rate }),
  });
}

export function loadRow(what: string, result: LoadResult, ratios: Row['ratios'] = {}): Row {
  const { rate, latencyMs, sent, bad, dropped } = result;
  return { what, rate, ratios, latencyMs, notes: noteOf({ sent, bad, dropped }) };
}

export function noteOf({ sent, bad, dropped }: Pick<LoadResult, 'sent' | 'bad' | 'dropped'>): string {
  return `${sent} sent, ${bad} refused, ${dropped} dropped`;
}

export interface Floors {
  readonly rows: readonly Row[];
  readonly ratios: (rate: number) => Row['ratios'];
}

/** The wire alone, and the same rows written one subject per commit. */
export async function measureFloors(bench: Bench, subject: Subject): Promise<Floors> {
  const { stage, onProgress } = bench;
  const { name } = subject;
  onProgress(`${name}, the HTTP floor: the same wire in front of nothing`);
  const floorProcess = await stage.startHttpFloor(BENCH_KEY.reveal());
  await load({ ...bench, seconds: 2 }, subject, floorProcess.url, CONNECTIONS);
  const http = await load(bench, subject, floorProcess.url, CONNECTIONS);
  await floorProcess.stop();
  if (http.good === 0) throw new Error(`the HTTP floor of ${name} takes none of its requests`);

  onProgress(`${name}, the SQL floor: the same rows, one per commit`);
  const secondsEach = Math.max(2, Math.ceil(bench.seconds / 2));
  const sql = await measureSqlFloor(stage.gateway.core.connection, subject.sqlFloor, secondsEach);
  return {
    rows: [
      loadRow(`${name}, HTTP floor`, http),
      {
        what: `${name}, SQL floor`,
        rate: sql.rate,
        ratios: {},
        notes: `${sql.by}, best at ${sql.concurrency} connections`,
      },
    ],
    ratios: (rate) => ({ 'of HTTP floor': rate / http.rate, 'of SQL floor': rate / sql.rate }),
  };
}

/** Requests answered after their commit: many at once, one at a time, and at a fixed rate that leaves room. */
export async function measureAnswers(bench: Bench, subject: Subject): Promise<Row[]> {
  const { stage, onProgress } = bench;
  const { name } = subject;
  const floors = await measureFloors(bench, subject);
  const api = await stage.startGateway('api');
  onProgress(`${name}, warming up`);
  await load({ ...bench, seconds: 3 }, subject, stage.gatewayUrl, CONNECTIONS);
  onProgress(`${name}, ${CONNECTIONS} at once`);
  const many = await load(bench, subject, stage.gatewayUrl, CONNECTIONS);
  onProgress(`${name}, one at a time`);
  const one = await load(bench, subject, stage.gatewayUrl, 1);
  const fixed = Math.round(many.rate / 2);
  onProgress(`${name}, open loop at ${fixed}/s`);
  const open = await load(bench, subject, stage.gatewayUrl, CONNECTIONS * 2, fixed);
  await api.stop();
  return [
    ...floors.rows,
    loadRow(`${name}, ${CONNECTIONS} at once`, many, floors.ratios(many.rate)),
    loadRow(`${name}, one at a time`, one),
    loadRow(`${name}, open loop ${fixed}/s`, open),
  ];
}

const LONGEST_MS = 180_000;
const LOOK_EVERY_MS = 200;

export async function untilDone(isDone: () => Promise<boolean>): Promise<void> {
  const giveUpAt = systemClock.now() + LONGEST_MS;
  while (!(await isDone())) {
    if (systemClock.now() > giveUpAt) throw new Error('the queue did not drain in three minutes');
    await systemClock.sleep(LOOK_EVERY_MS);
  }
}

export async function countOf(database: Queryable, sql: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql);
  return row?.count ?? 0;
}

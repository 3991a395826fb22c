/**
 * Requests answered after their commit, many at once and one at a time, against the wire alone and against the same rows
 * written one per commit. Floors and gateway take turns, twice, so that a machine that drifts shows itself in the spread.
 */
import { openSqlFloor, type SqlFloorOf, type SqlRun } from '../floors/sql-floor.ts';
import type { SubjectName } from '../load/load-order.ts';
import type { Bench, Findings, Row } from '../measure/bench.ts';
import { measureLoad, warmUp } from '../measure/measure-load.ts';
import { meanOf, spreadOf } from '../measure/statistics.ts';
import { BENCH_KEY } from '../stage/bench-merchants.ts';

export interface Answered {
  readonly name: string;
  readonly subject: SubjectName;
  readonly sqlFloor: SqlFloorOf;
}

export const CONNECTIONS = 64;
const ROUNDS = 2;
/** Until the compiler has seen what is hot: a process in its first seconds is not what anybody runs. */
export const WARM_UP_SECONDS = 8;

interface Round {
  readonly many: Row;
  readonly one: Row;
}

export async function measureAnswers(bench: Bench, { name, subject, sqlFloor }: Answered): Promise<Findings> {
  const { stage } = bench;
  const sql = await openSqlFloor(stage, sqlFloor);
  bench.onProgress(`${name}: where the SQL floor is at its best`);
  const best = (await sql.findBest(halfOf(bench))).connections;
  const rounds: { http: Round; sql: Round; gateway: Round }[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const floor = await stage.startHttpFloor(BENCH_KEY.reveal());
    const http = await roundOf(bench, `${name}: HTTP floor, round ${round}`, subject, floor.url);
    await floor.stop();
    const rows = await sqlRoundOf(bench, `${name}: SQL floor, round ${round}`, sql.measure, best);
    const api = await stage.startGateway('api');
    const gateway = await roundOf(bench, `${name}, round ${round}`, subject, stage.gatewayUrl);
    await api.stop();
    rounds.push({ http, sql: rows, gateway });
  }
  await sql.close();
  const figures = { ...figuresOf(rounds), sqlFloorConnections: best };
  return { rows: rounds.flatMap((round) => rowsOf(round, figures)), figures };
}

async function roundOf(bench: Bench, what: string, subject: SubjectName, url: URL): Promise<Round> {
  const plan = { subject, url } as const;
  await warmUp(bench, { ...plan, connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
  const many = await measureLoad(bench, `${what}, ${CONNECTIONS} at once`, { ...plan, connections: CONNECTIONS });
  const one = await measureLoad(bench, `${what}, one at a time`, { ...plan, connections: 1, seconds: halfOf(bench) });
  return { many: many.row, one: one.row };
}

async function sqlRoundOf(
  bench: Bench,
  what: string,
  measure: (connections: number, seconds: number) => Promise<SqlRun>,
  best: number,
): Promise<Round> {
  bench.onProgress(what);
  return {
    many: sqlRow(`${what}, ${best} at once`, await measure(best, bench.seconds)),
    one: sqlRow(`${what}, one at a time`, await measure(1, halfOf(bench))),
  };
}

const halfOf = ({ seconds }: Bench) => Math.max(2, Math.ceil(seconds / 2));

export function sqlRow(what: string, { rate, latencyMs, cost }: SqlRun): Row {
  return { what, rate, latencyMs, cost };
}

function figuresOf(rounds: readonly { http: Round; sql: Round; gateway: Round }[]) {
  const rates = (of: 'http' | 'sql' | 'gateway') => rounds.map((round) => round[of].many.rate);
  const p50 = (of: 'http' | 'sql' | 'gateway') => meanOf(rounds.map((round) => round[of].one.latencyMs?.p50 ?? 0));
  const rate = meanOf(rates('gateway'));
  const httpFloorRate = meanOf(rates('http'));
  const sqlFloorRate = meanOf(rates('sql'));
  const oneAtATimeP50Ms = p50('http') + p50('sql');
  return {
    rate,
    httpFloorRate,
    sqlFloorRate,
    ofHttpFloor: rate / httpFloorRate,
    ofSqlFloor: rate / sqlFloorRate,
    p99Ms: meanOf(rounds.map(({ gateway }) => gateway.many.latencyMs?.p99 ?? 0)),
    oneAtATimeP50Ms,
    oneClientP50Ms: p50('gateway'),
    oneClientOfOneAtATime: p50('gateway') / oneAtATimeP50Ms,
    spread: spreadOf(rates('gateway')),
    httpFloorSpread: spreadOf(rates('http')),
    sqlFloorSpread: spreadOf(rates('sql')),
  };
}

function rowsOf(
  { http, sql, gateway }: { http: Round; sql: Round; gateway: Round },
  { httpFloorRate, sqlFloorRate }: { httpFloorRate: number; sqlFloorRate: number },
): Row[] {
  const { rate } = gateway.many;
  const ratios = { 'of HTTP floor': rate / httpFloorRate, 'of SQL floor': rate / sqlFloorRate };
  return [http.many, http.one, sql.many, sql.one, { ...gateway.many, ratios }, gateway.one];
}

/**
 * Measures requests that are acknowledged after their commit, many concurrently and one at a time. It compares them with three
 * floors: the HTTP floor, the SQL floor, which commits the same rows one request at a time, and the fixed floor. All are
 * warmed up and take turns in short rounds. A machine whose speed drifts slows an entire round, so the ratios within a round
 * stay valid. The result is the median of the rounds.
 */
import { FIXED_FLOOR } from '../floors/fixed-floor.ts';
import { openSqlFloor, type SqlFloor, type SqlFloorOf, sqlRow } from '../floors/sql-floor.ts';
import type { SubjectName } from '../load/load-order.ts';
import type { Bench, Findings, Row } from '../measure/bench.ts';
import { measureLoad, warmUp } from '../measure/measure-load.ts';
import { medianOf, spreadOf } from '../measure/statistics.ts';
import type { UnitCost } from '../measure/usage.ts';
import { CONNECTIONS, halfOf, WARM_UP_SECONDS } from './usual.ts';

export interface Answered {
  readonly name: string;
  readonly subject: SubjectName;
  readonly sqlFloor: SqlFloorOf;
}

const ROUNDS = 5;

type Side = 'http' | 'sql' | 'gateway';
type Round = Readonly<Record<Side, { readonly many: Row; readonly one: Row }>> & { readonly fixed: Row };

export async function measureAnswers(bench: Bench, { name, subject, sqlFloor }: Answered): Promise<Findings> {
  const { stage, onProgress } = bench;
  const sql = await openSqlFloor(stage, sqlFloor);
  const fixedFloor = await openSqlFloor(stage, FIXED_FLOOR);
  const floor = await stage.startHttpFloor();
  const api = await stage.startGateway('api');
  const urls = { http: floor.url, gateway: stage.gatewayUrl };
  for (const [side, url] of Object.entries(urls)) {
    onProgress(`${name}: warm-up, ${side}`);
    await warmUp(bench, { subject, url, connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
  }
  onProgress(`${name}: where the SQL floors are at their best`);
  const seconds = halfOf(bench);
  const best = (await sql.findBest(seconds)).connections;
  const bestFixed = (await fixedFloor.findBest(seconds)).connections;
  const throughHttp = async (what: string, side: 'http' | 'gateway', connections: number) =>
    (await measureLoad(bench, what, { subject, url: urls[side], connections, seconds })).row;
  const throughSql = async (what: string, connections: number, on: SqlFloor = sql) => {
    onProgress(what);
    return sqlRow(what, await on.measure(connections, seconds));
  };
  const rounds: Round[] = [];
  for (let at = 1; at <= ROUNDS; at++) {
    const round = (what: string) => `${name}: ${what}, round ${at}`;
    const fixed = await throughSql(round(`fixed floor, ${bestFixed} at once`), bestFixed, fixedFloor);
    const many = {
      http: await throughHttp(round(`HTTP floor, ${CONNECTIONS} at once`), 'http', CONNECTIONS),
      sql: await throughSql(round(`SQL floor, ${best} at once`), best),
      gateway: await throughHttp(round(`gateway, ${CONNECTIONS} at once`), 'gateway', CONNECTIONS),
    };
    const one = {
      http: await throughHttp(round('HTTP floor, one at a time'), 'http', 1),
      sql: await throughSql(round('SQL floor, one at a time'), 1),
      gateway: await throughHttp(round('gateway, one at a time'), 'gateway', 1),
    };
    const both = (side: Side) => ({ many: many[side], one: one[side] });
    rounds.push({ http: both('http'), sql: both('sql'), gateway: both('gateway'), fixed });
  }
  await Promise.all([api.stop(), floor.stop()]);
  await sql.close();
  await fixedFloor.close();
  const connections = { sqlFloorConnections: best, fixedFloorConnections: bestFixed };
  return { rows: rounds.flatMap(rowsOf), figures: { ...figuresOf(rounds), ...connections } };
}

function figuresOf(rounds: readonly Round[]) {
  const median = (of: (round: Round) => number) => medianOf(rounds.map(of));
  const cost = (of: (cost: UnitCost) => number) =>
    median(({ gateway }) => (gateway.many.cost ? of(gateway.many.cost) : 0));
  const spread = (side: Side) => spreadOf(rounds.map((round) => round[side].many.rate));
  const p50 = (round: Round, side: Side) => round[side].one.latencyMs?.p50 ?? 0;
  const oneAtATime = (round: Round) => p50(round, 'http') + p50(round, 'sql');
  return {
    rate: median(({ gateway }) => gateway.many.rate),
    httpFloorRate: median(({ http }) => http.many.rate),
    sqlFloorRate: median(({ sql }) => sql.many.rate),
    fixedFloorRate: median(({ fixed }) => fixed.rate),
    ofFixedFloor: median(({ fixed, gateway }) => gateway.many.rate / fixed.rate),
    ofHttpFloor: median(({ http, gateway }) => gateway.many.rate / http.many.rate),
    ofSqlFloor: median(({ sql, gateway }) => gateway.many.rate / sql.many.rate),
    p99Ms: median(({ gateway }) => gateway.many.latencyMs?.p99 ?? 0),
    apiCpuMicros: cost(({ cpuMicros }) => cpuMicros.api ?? 0),
    postgresCpuMicros: cost(({ cpuMicros }) => cpuMicros.postgres ?? 0),
    cpuMicros: cost(({ cpuMicros }) => (cpuMicros.api ?? 0) + (cpuMicros.postgres ?? 0)),
    walBytes: cost(({ walBytes }) => walBytes),
    commits: cost(({ commits }) => commits),
    oneAtATimeP50Ms: median(oneAtATime),
    oneClientP50Ms: median((round) => p50(round, 'gateway')),
    oneClientP99Ms: median(({ gateway }) => gateway.one.latencyMs?.p99 ?? 0),
    oneClientOfOneAtATime: median((round) => p50(round, 'gateway') / oneAtATime(round)),
    spread: spread('gateway'),
    httpFloorSpread: spread('http'),
    sqlFloorSpread: spread('sql'),
    fixedFloorSpread: spreadOf(rounds.map(({ fixed }) => fixed.rate)),
  };
}

function rowsOf({ http, sql, gateway, fixed }: Round): Row[] {
  const { rate } = gateway.many;
  const ratios = {
    'of fixed floor': rate / fixed.rate,
    'of HTTP floor': rate / http.many.rate,
    'of SQL floor': rate / sql.many.rate,
  };
  return [fixed, http.many, sql.many, { ...gateway.many, ratios }, http.one, sql.one, gateway.one];
}

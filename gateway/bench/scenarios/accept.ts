/**
 * Requests answered after their commit, many at once and one at a time, against the wire alone and against the same rows
 * written one per commit. Floors and gateway take turns, twice, so that a machine that drifts shows itself in the spread.
 */
import { openSqlFloor, type SqlFloorOf, type SqlRun } from '../floors/sql-floor.ts';
import type { SubjectName } from '../load/load-order.ts';
import type { Bench, Findings, Row } from '../measure/bench.ts';
import { measureLoad, warmUp } from '../measure/measure-load.ts';
import { BENCH_KEY } from '../stage/bench-merchants.ts';

export interface Answered {
  readonly name: string;
  readonly subject: SubjectName;
  readonly sqlFloor: SqlFloorOf;
}

export const CONNECTIONS = 64;
const ROUNDS = 2;
const WARM_UP_SECONDS = 3;

interface Round {
  readonly many: Row;
  readonly one: Row;
}

export async function measureAnswers(bench: Bench, answered: Answered): Promise<Findings> {
  const { stage } = bench;
  const { name } = answered;
  const sql = await openSqlFloor(stage, answered.sqlFloor);
  const best = (await sql.findBest(Math.max(2, Math.ceil(bench.seconds / 2)))).connections;
  const http: Round[] = [];
  const database: Round[] = [];
  const gateway: Round[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const label = (what: string) => `${what}, round ${round}`;
    const floor = await stage.startHttpFloor(BENCH_KEY.reveal());
    http.push(await roundOf(bench, label(`${name}: HTTP floor`), answered.subject, floor.url));
    await floor.stop();
    bench.onProgress(label(`${name}: SQL floor`));
    database.push({
      many: sqlRow(label(`${name}: SQL floor at ${best}`), await sql.measure(best, bench.seconds)),
      one: sqlRow(label(`${name}: SQL floor at 1`), await sql.measure(1, oneSeconds(bench))),
    });
    const api = await stage.startGateway('api');
    gateway.push(await roundOf(bench, label(name), answered.subject, stage.gatewayUrl));
    await api.stop();
  }
  await sql.close();
  const rates = { http: mean(http, manyRate), sql: mean(database, manyRate), gateway: mean(gateway, manyRate) };
  const oneAtATimeMs = mean(http, onePast50) + mean(database, onePast50);
  return {
    rows: [...http, ...database, ...gateway].flatMap(({ many, one }) => [many, one]).map(withRatios(name, rates)),
    figures: {
      httpFloorRate: rates.http,
      sqlFloorRate: rates.sql,
      sqlFloorConnections: best,
      rate: rates.gateway,
      ofHttpFloor: rates.gateway / rates.http,
      ofSqlFloor: rates.gateway / rates.sql,
      p99Ms: mean(gateway, ({ many }) => many.latencyMs?.p99 ?? 0),
      oneAtATimeP50Ms: oneAtATimeMs,
      oneClientP50Ms: mean(gateway, onePast50),
      oneClientOfOneAtATime: mean(gateway, onePast50) / oneAtATimeMs,
      httpFloorSpread: spread(http),
      sqlFloorSpread: spread(database),
      spread: spread(gateway),
    },
  };
}

async function roundOf(bench: Bench, what: string, subject: SubjectName, url: URL): Promise<Round> {
  await warmUp(bench, { subject, url, connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
  const many = await measureLoad(bench, `${what}, ${CONNECTIONS} at once`, { subject, url, connections: CONNECTIONS });
  const one = await measureLoad(bench, `${what}, one at a time`, {
    subject,
    url,
    connections: 1,
    seconds: oneSeconds(bench),
  });
  return { many: many.row, one: one.row };
}

const oneSeconds = ({ seconds }: Bench) => Math.max(2, Math.ceil(seconds / 2));
const manyRate = ({ many }: Round) => many.rate;
const onePast50 = ({ one }: Round) => one.latencyMs?.p50 ?? 0;

function sqlRow(what: string, { rate, latencyMs, cost }: SqlRun): Row {
  return { what, rate, latencyMs, cost };
}

function withRatios(name: string, { http, sql }: { http: number; sql: number }) {
  return (row: Row): Row =>
    row.what.startsWith(`${name}, `) && row.what.endsWith('at once')
      ? { ...row, ratios: { 'of HTTP floor': row.rate / http, 'of SQL floor': row.rate / sql } }
      : row;
}

function mean(rounds: readonly Round[], figure: (round: Round) => number): number {
  return rounds.reduce((sum, round) => sum + figure(round), 0) / rounds.length;
}

/** How far the rounds lie apart, as a part of their mean. */
function spread(rounds: readonly Round[]): number {
  const rates = rounds.map(manyRate);
  return (Math.max(...rates) - Math.min(...rates)) / mean(rounds, manyRate);
}

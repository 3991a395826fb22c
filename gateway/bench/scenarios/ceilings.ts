/**
 * Measures upper bounds ("ceilings") for any server with this wire protocol, so that a target beyond them is known to be
 * unreachable. Each ceiling omits more of the gateway: first its decisions, then its rows, then HTTP. Floors, ceilings and the
 * gateway take turns in short rounds. The result is the median of the rounds.
 */
import { type BatchFloor, NARROW_ROW, ownRows } from '../floors/batch-commits.ts';
import { FIXED_FLOOR } from '../floors/fixed-floor.ts';
import { payoutFloor } from '../floors/payout-floor.ts';
import { openSqlFloor, type SqlFloor, sqlRow } from '../floors/sql-floor.ts';
import type { Bench, Findings, Row } from '../measure/bench.ts';
import { measureLoad, warmUp } from '../measure/measure-load.ts';
import { medianOf } from '../measure/statistics.ts';
import { specimenOf } from '../specimen/specimen.ts';
import { freePorts } from '../stage/free-ports.ts';
import { urlAt } from '../stage/programs.ts';
import type { ServerOfFloor } from '../stage/stage.ts';
import { CONNECTIONS, halfOf, WARM_UP_SECONDS } from './usual.ts';

const ROUNDS = 3;
/** Higher than any number of the SQL floor, because both write to the same tables. It has the twelve digits of a payout id. */
const FIRST_NUMBER = 5 * 10 ** 11;

/** The servers, each with the name of its rows and the suffix of its figures' names. */
const SERVERS = {
  bare: { name: 'sockets alone', figure: 'OfSockets' },
  http: { name: 'HTTP floor', figure: 'OfHttpFloor' },
  narrow: { name: 'one narrow row', figure: 'OfNarrowRow' },
  own: { name: 'own rows undecided', figure: 'OfOwnRows' },
  gateway: { name: 'gateway', figure: '' },
  all: { name: 'gateway, a process for each core', figure: 'OfAllProcesses' },
} as const;

type Server = keyof typeof SERVERS;
type Measured = Readonly<Record<Server, Row>>;

interface Round {
  readonly fixed: Row;
  readonly sql: Row;
  readonly sqlOne: Row;
  readonly many: Measured;
  readonly one: Measured;
}

export async function measureCeilings(bench: Bench): Promise<Findings> {
  const { stage, onProgress } = bench;
  const { accepted } = await specimenOf(stage);
  const sql = await openSqlFloor(stage, payoutFloor(accepted));
  const fixed = await openSqlFloor(stage, FIXED_FLOOR);
  for (const prepare of NARROW_ROW.prepare) await stage.admin.query(prepare);
  const startCommitting = ({ statement }: BatchFloor) =>
    stage.startHttpFloor({ commits: { statement, firstNumber: FIRST_NUMBER } });
  const [port = 0] = await freePorts(1);
  const servers: Readonly<Record<Server, ServerOfFloor>> = {
    bare: await stage.startBareServer(),
    http: await stage.startHttpFloor(),
    narrow: await startCommitting(NARROW_ROW),
    own: await startCommitting(ownRows(accepted)),
    gateway: { ...(await stage.startGateway('api')), url: stage.gatewayUrl },
    all: { ...(await stage.startGateway('api', { PORT: String(port), GATEWAY_PROCESSES: 'all' })), url: urlAt(port) },
  };
  const load = { subject: 'payout', connections: CONNECTIONS } as const;
  for (const [name, { url }] of Object.entries(servers)) {
    onProgress(`ceilings: warm-up, ${SERVERS[name as Server].name}`);
    await warmUp(bench, { ...load, url, seconds: WARM_UP_SECONDS });
  }
  const seconds = halfOf(bench);
  onProgress('ceilings: where the SQL floors are at their best');
  const best = (await sql.findBest(seconds)).connections;
  const bestFixed = (await fixed.findBest(seconds)).connections;
  const rounds: Round[] = [];
  for (let at = 1; at <= ROUNDS; at++) {
    const throughSql = async (name: string, on: SqlFloor, connections: number) => {
      const what = `${name}, ${connections} at once, round ${at}`;
      onProgress(`ceilings: ${what}`);
      return sqlRow(what, await on.measure(connections, seconds));
    };
    const throughServers = async (connections: number) => {
      const rows: Partial<Record<Server, Row>> = {};
      for (const [name, { url }] of Object.entries(servers)) {
        const what = `${SERVERS[name as Server].name}, ${connections} at once, round ${at}`;
        rows[name as Server] = (await measureLoad(bench, what, { ...load, url, connections, seconds })).row;
      }
      return rows as Measured;
    };
    rounds.push({
      fixed: await throughSql('fixed floor', fixed, bestFixed),
      sql: await throughSql('SQL floor', sql, best),
      many: await throughServers(CONNECTIONS),
      sqlOne: await throughSql('SQL floor', sql, 1),
      one: await throughServers(1),
    });
  }
  await Promise.all(Object.values(servers).map((server) => server.stop()));
  await sql.close();
  await fixed.close();
  for (const clean of NARROW_ROW.clean) await stage.admin.query(clean);
  return { rows: rounds.flatMap(rowsOf), figures: figuresOf(rounds) };
}

function figuresOf(rounds: readonly Round[]): Readonly<Record<string, number>> {
  const median = (of: (round: Round) => number) => medianOf(rounds.map(of));
  const p50 = (row: Row) => row.latencyMs?.p50 ?? 0;
  const figures: Record<string, number> = {
    fixedFloorRate: median(({ fixed }) => fixed.rate),
    sqlFloorRate: median(({ sql }) => sql.rate),
  };
  for (const [server, { figure }] of Object.entries(SERVERS) as [Server, (typeof SERVERS)[Server]][]) {
    const name = (of: string) => `${of}${figure}`;
    figures[name('rate')] = median(({ many }) => many[server].rate);
    figures[name('ofFixedFloor')] = median(({ many, fixed }) => many[server].rate / fixed.rate);
    figures[name('ofSqlFloor')] = median(({ many, sql }) => many[server].rate / sql.rate);
    figures[name('p99Ms')] = median(({ many }) => many[server].latencyMs?.p99 ?? 0);
    figures[name('cpuMicros')] = median(({ many }) => cpuOf(many[server]));
    figures[name('oneClientOfOneAtATime')] = median(
      ({ one, sqlOne }) => p50(one[server]) / (p50(one.http) + p50(sqlOne)),
    );
    figures[name('oneClientP99Ms')] = median(({ one }) => one[server].latencyMs?.p99 ?? 0);
  }
  return { ...figures, ofOwnRows: median(({ many }) => many.gateway.rate / many.own.rate) };
}

/** Returns the CPU time of the server and the database per payout, in µs. */
function cpuOf({ cost }: Row): number {
  const { api = 0, 'http floor': floor = 0, postgres = 0 } = cost?.cpuMicros ?? {};
  return api + floor + postgres;
}

function rowsOf({ fixed, sql, many, sqlOne, one }: Round): Row[] {
  const ratios = ({ rate }: Row) => ({ 'of fixed floor': rate / fixed.rate, 'of SQL floor': rate / sql.rate });
  const compared = Object.values(many).map((row) => ({ ...row, ratios: ratios(row) }));
  return [fixed, sql, ...compared, sqlOne, ...Object.values(one)];
}

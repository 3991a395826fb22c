/** Throughput by concurrency in a closed loop: the gateway and both floors, step by step. */

import { payoutFloor } from '../floors/payout-floor.ts';
import { openSqlFloor, sqlRow } from '../floors/sql-floor.ts';
import type { Bench, Findings, Row } from '../measure/bench.ts';
import { measureLoad, warmUp } from '../measure/measure-load.ts';
import { specimenOf } from '../specimen/specimen.ts';
import { CONNECTIONS, WARM_UP_SECONDS } from './usual.ts';

const STEPS = [1, 2, 4, 8, 16, 32, 64, 128, 256];
/** The embedded database allows a hundred connections in total. */
const MOST_SQL = 64;

export async function measureConcurrency(bench: Bench): Promise<Findings> {
  const { stage, onProgress } = bench;
  const sql = await openSqlFloor(stage, payoutFloor((await specimenOf(stage)).accepted));
  const floor = await stage.startHttpFloor();
  const api = await stage.startGateway('api');
  const found = { 'HTTP floor': [] as Row[], 'SQL floor': [] as Row[], gateway: [] as Row[] };
  const targets = { 'HTTP floor': floor.url, gateway: stage.gatewayUrl };
  for (const url of Object.values(targets))
    await warmUp(bench, { subject: 'payout', url, connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
  for (const connections of STEPS) {
    for (const [name, url] of Object.entries(targets)) {
      const what = `${name}, ${connections} at once`;
      const { row } = await measureLoad(bench, what, { subject: 'payout', url, connections });
      found[name as keyof typeof targets].push(row);
    }
    if (connections > MOST_SQL) continue;
    onProgress(`SQL floor, ${connections} at once`);
    found['SQL floor'].push(sqlRow(`SQL floor, ${connections} at once`, await sql.measure(connections, bench.seconds)));
  }
  await Promise.all([floor.stop(), api.stop()]);
  await sql.close();
  const curve = (of: (row: Row) => number) =>
    Object.entries(found).map(([name, rows]) => ({
      name,
      points: rows.map((row, at) => [STEPS[at] ?? 0, of(row)] as const),
    }));
  return {
    rows: Object.values(found).flat(),
    curves: { throughput: curve(({ rate }) => rate), p99: curve(({ latencyMs }) => latencyMs?.p99 ?? 0) },
  };
}

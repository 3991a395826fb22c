/**
 * An SQL floor: writes the gateway's rows, one payout or deposit per commit. It uses pgbench if available, otherwise the plain
 * client.
 */
import { type Latency, latencyOf } from '../load/latency.ts';
import type { Row } from '../measure/bench.ts';
import { beginUsage, type UnitCost, unitCost } from '../measure/usage.ts';
import { MERCHANTS } from '../stage/bench-merchants.ts';
import type { Stage } from '../stage/stage.ts';
import { hasPgbench, runPgbench } from './pgbench.ts';
import { runPlainClient } from './plain-client.ts';

/** The statements of a floor that writes one payout or deposit. */
export interface SqlFloorOf {
  readonly name: string;
  /** Statements that run before the measurement. */
  readonly prepare: readonly string[];
  /** Writes the rows of one payout or deposit in one statement, and so in one commit. Each execution has a different `:id`. */
  readonly statement: string;
  /** Statements that delete the rows of the floor. */
  readonly clean: readonly string[];
}

interface SqlRun {
  readonly connections: number;
  readonly rate: number;
  readonly latencyMs: Latency;
  readonly cost: UnitCost;
}

export interface SqlFloor {
  readonly by: 'pgbench' | 'plain client';
  measure(connections: number, seconds: number): Promise<SqlRun>;
  /** Measures at each concurrency, and returns the run with the highest rate. */
  findBest(secondsEach: number): Promise<SqlRun>;
  /** Deletes the rows that the floor wrote. */
  close(): Promise<void>;
}

const CONCURRENCIES = [8, 16, 32, 64];
/** The name prefix of floor merchants. It has the same length as the prefix of the gateway load. */
const FLOOR_MERCHANTS = 'floor-';
/** A number of ids that no run exceeds. */
const IDS_FOR_EACH_RUN = 100_000_000;

let nextId = 1;

/** Uses as many merchants as the gateway load, in turn, so that no single balance is a bottleneck here either. */
export function floorMerchantSql(number: string): string {
  return `('${FLOOR_MERCHANTS}' || ${number} % ${MERCHANTS})`;
}

/** Returns the statements that delete the floor merchants' rows from these tables. */
export function deleteFloorRows(tables: readonly string[]): string[] {
  return tables.flatMap((table) => [
    `delete from ${table} where merchant_id like '${FLOOR_MERCHANTS}%'`,
    `vacuum ${table}`,
  ]);
}

export function sqlRow(what: string, { rate, latencyMs, cost }: SqlRun): Row {
  return { what, rate, latencyMs, cost };
}

export async function openSqlFloor(stage: Stage, of: SqlFloorOf): Promise<SqlFloor> {
  const { admin, gateway } = stage;
  for (const sql of of.prepare) await admin.query(sql);
  const by = hasPgbench() ? 'pgbench' : 'plain client';
  const run = by === 'pgbench' ? runPgbench : runPlainClient;
  const { name, statement } = of;
  const measure = async (connections: number, seconds: number): Promise<SqlRun> => {
    const endUsage = await beginUsage(stage);
    const load = { connection: gateway.core.connection, name, statement, connections, seconds, firstId: nextId };
    const { rate, times } = await run(load);
    const usage = await endUsage();
    nextId += IDS_FOR_EACH_RUN;
    return { connections, rate, latencyMs: latencyOf(times), cost: unitCost(usage, times.length) };
  };
  return {
    by,
    measure,
    async findBest(secondsEach) {
      let best = await measure(CONCURRENCIES[0] ?? 1, secondsEach);
      for (const connections of CONCURRENCIES.slice(1)) {
        const next = await measure(connections, secondsEach);
        if (next.rate > best.rate) best = next;
      }
      return best;
    },
    async close() {
      for (const sql of of.clean) await admin.query(sql);
    },
  };
}

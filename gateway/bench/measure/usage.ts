/** What a stretch of time has cost: CPU by kind of process, bytes of WAL, writing transactions. */
import { systemClock } from '../../src/foundation/clock.ts';
import { monotonicMs } from '../load/monotonic-clock.ts';
import { type AdminClient, numberOf } from '../stage/admin-client.ts';
import type { Stage } from '../stage/stage.ts';
import type { ProcessKind } from '../stage/staged-process.ts';
import { cpuOfTree, parentOf, readProcessTable } from './process-table.ts';

/** `bench`: this program itself, with pgbench where that is the load. */
export type CpuKind = ProcessKind | 'postgres' | 'load' | 'bench';

export interface Usage {
  readonly elapsedMs: number;
  readonly cpuMicros: Readonly<Partial<Record<CpuKind, number>>>;
  readonly walBytes: number;
  /** Transactions that wrote. */
  readonly commits: number;
}

interface Snapshot extends Omit<Usage, 'elapsedMs'> {
  readonly atMs: number;
}

/** Begins to count; what is returned ends it. */
export async function beginUsage(stage: Stage): Promise<() => Promise<Usage>> {
  const before = await snapshot(stage);
  return async () => difference(before, await snapshot(stage));
}

async function snapshot({ admin, running, load }: Stage): Promise<Snapshot> {
  const database = await databaseCounters(admin);
  const table = readProcessTable();
  const cpuMicros: Partial<Record<CpuKind, number>> = {};
  const add = (kind: CpuKind, micros: number) => {
    cpuMicros[kind] = (cpuMicros[kind] ?? 0) + micros;
  };
  for (const { kind, pid } of running) add(kind, cpuOfTree(pid, table));
  add('load', cpuOfTree(load.pid, table));
  const postmaster = parentOf(database.backend);
  if (postmaster !== undefined) add('postgres', cpuOfTree(postmaster, table));
  const own = table.get(process.pid);
  if (own) add('bench', own.cpuMicros + own.endedChildrenMicros);
  return { atMs: monotonicMs(), cpuMicros, walBytes: database.walBytes, commits: database.transactions };
}

async function databaseCounters(admin: AdminClient) {
  const [row] = await admin.query<{ wal: string; transactions: string; backend: number }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as wal,
       pg_snapshot_xmax(pg_current_snapshot())::text as transactions, pg_backend_pid() as backend`,
  );
  return { walBytes: Number(row?.wal), transactions: Number(row?.transactions), backend: row?.backend ?? 0 };
}

function difference(before: Snapshot, after: Snapshot): Usage {
  const kinds = Object.keys(after.cpuMicros) as CpuKind[];
  return {
    elapsedMs: after.atMs - before.atMs,
    cpuMicros: Object.fromEntries(
      kinds.map((kind) => [kind, (after.cpuMicros[kind] ?? 0) - (before.cpuMicros[kind] ?? 0)]),
    ),
    walBytes: after.walBytes - before.walBytes,
    commits: after.commits - before.commits,
  };
}

/** What one of `count` has cost. */
export interface UnitCost {
  readonly cpuMicros: Readonly<Partial<Record<CpuKind, number>>>;
  readonly walBytes: number;
  readonly commits: number;
  /** Of one core: what the load generator was busy. Near 1 it is the load that was measured. */
  readonly loadShare: number;
}

export function unitCost({ cpuMicros, walBytes, commits, elapsedMs }: Usage, count: number): UnitCost {
  const each = (total: number) => (count > 0 ? total / count : 0);
  return {
    cpuMicros: Object.fromEntries(Object.entries(cpuMicros).map(([kind, micros]) => [kind, each(micros)])),
    walBytes: each(walBytes),
    commits: each(commits),
    loadShare: elapsedMs > 0 ? (cpuMicros.load ?? 0) / (elapsedMs * 1_000) : 0,
  };
}

/** Full-page images then fall alike on whatever is measured after it: each page's first change writes one. */
export async function checkpoint({ admin }: Stage): Promise<void> {
  await admin.query('checkpoint');
}

/** Pages of tables and indexes that were looked at since the database began to count. */
export function buffersTouched({ admin }: Stage): Promise<number> {
  return numberOf(admin, `select blks_hit + blks_read from pg_stat_database where datname = current_database()`);
}

const COUNTED_WITHIN_MS = 1_500;

/** Of connections that have ended: those tell at their end what they have counted, others only after ten idle seconds. */
export async function flushCounters({ admin }: Stage): Promise<void> {
  await admin.query('select pg_stat_force_next_flush()');
  await systemClock.sleep(COUNTED_WITHIN_MS);
  await admin.query('select pg_stat_clear_snapshot()');
}

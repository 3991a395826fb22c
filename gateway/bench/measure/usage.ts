/** The cost of a period: CPU by kind of process, bytes of WAL, and writing transactions. */
import { systemClock } from '../../src/foundation/clock.ts';
import { monotonicMs } from '../load/monotonic-clock.ts';
import { type AdminClient, numberOf } from '../stage/admin-client.ts';
import type { Stage } from '../stage/stage.ts';
import type { ProcessKind } from '../stage/staged-process.ts';
import { cpuOfTree, parentOf, readProcessTable } from './process-table.ts';

/** `bench` is this program, including pgbench if it generates the load. */
export type CpuKind = ProcessKind | 'postgres' | 'load' | 'bench';

export interface Usage {
  readonly elapsedMs: number;
  readonly cpuMicros: Readonly<Partial<Record<CpuKind, number>>>;
  readonly walBytes: number;
  /** The number of transactions that wrote. */
  readonly commits: number;
}

interface Snapshot extends Omit<Usage, 'elapsedMs'> {
  readonly atMs: number;
}

/** Starts counting. Returns a function that stops and resolves to the usage. */
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

/** The cost per result. */
export interface UnitCost {
  readonly cpuMicros: Readonly<Partial<Record<CpuKind, number>>>;
  readonly walBytes: number;
  readonly commits: number;
  /** The share of one core that the load generator used. Near 1, the load generator limits the measured rate. */
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

/**
 * Runs a checkpoint. The first change of each page after it writes a full-page image, so all measurements start with the same
 * cost.
 */
export async function checkpoint({ admin }: Stage): Promise<void> {
  await admin.query('checkpoint');
}

/** Returns how many table and index pages the database has accessed since its counters began. */
export function buffersTouched({ admin }: Stage): Promise<number> {
  return numberOf(admin, `select blks_hit + blks_read from pg_stat_database where datname = current_database()`);
}

const COUNTED_WITHIN_MS = 1_500;

/**
 * Makes the counters visible. A connection reports them when it closes or after ten idle seconds, so close connections first.
 */
export async function flushCounters({ admin }: Stage): Promise<void> {
  await admin.query('select pg_stat_force_next_flush()');
  await systemClock.sleep(COUNTED_WITHIN_MS);
  await admin.query('select pg_stat_clear_snapshot()');
}

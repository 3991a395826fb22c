/**
 * Times calls of this process's gateway. Server time is the elapsed time without the time in which this process and its
 * database connection were runnable but waited for a core, because other programs used the core then. Only Linux reports that
 * wait; elsewhere both times are equal. Both can wait at the same time, so the server time is never less than their CPU time.
 */
import { readFileSync } from 'node:fs';
import { monotonicMs } from '../load/monotonic-clock.ts';
import type { AdminClient } from '../stage/admin-client.ts';

interface CallTime {
  readonly elapsedMs: number;
  readonly serverMs: number;
}

const NANOSECONDS = 1_000_000;

/** Runs the calls one after another. */
export async function timeCalls(admin: AdminClient, calls: readonly (() => Promise<unknown>)[]): Promise<CallTime[]> {
  const connections = await admin.query<{ pid: number }>(
    `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
  const pids = connections.map(({ pid }) => pid);
  const times: CallTime[] = [];
  for (const call of calls) {
    const before = [process.pid, ...pids].map(schedulingOf);
    const startedAt = monotonicMs();
    await call();
    const elapsedMs = monotonicMs() - startedAt;
    const after = [process.pid, ...pids].map(schedulingOf);
    const sinceOf = (part: keyof Scheduling) => after.map((now, at) => now[part] - (before[at]?.[part] ?? 0));
    const [ownRan = 0, ...ran] = sinceOf('ranMs');
    const [ownWaited = 0, ...waited] = sinceOf('waitedMs');
    // Statements may run concurrently, so subtract only the longest wait of one connection.
    const undelayedMs = elapsedMs - ownWaited - Math.max(0, ...waited);
    times.push({ elapsedMs, serverMs: Math.min(elapsedMs, Math.max(undelayedMs, ownRan + Math.max(0, ...ran))) });
  }
  return times;
}

/** The scheduler times of a process's main thread since its start. */
interface Scheduling {
  readonly ranMs: number;
  /** The time in which the thread was runnable, but had no core. */
  readonly waitedMs: number;
}

function schedulingOf(pid: number): Scheduling {
  try {
    const [ran, waited] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
    return { ranMs: Number(ran) / NANOSECONDS, waitedMs: Number(waited) / NANOSECONDS };
  } catch {
    return { ranMs: 0, waitedMs: 0 };
  }
}

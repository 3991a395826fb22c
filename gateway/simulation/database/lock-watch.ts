/**
 * Detects through PostgreSQL that a statement waits for a lock, so that other actors may continue. It then stops the
 * statement's server process: a commit may grant several locks at once, and the machine's scheduler would otherwise choose
 * which statement runs first.
 */
import { clearTimeout, setTimeout } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin } from './restorable-database.ts';

/** The pid of a PostgreSQL backend. */
export type ServerProcess = number;

export interface LockWatch {
  /**
   * Waits until the statement waits for a lock, then stops its server process and returns it. Returns undefined if the
   * statement completed first. `stopped` contains the server processes that were stopped earlier.
   */
  untilBlocked(ended: Promise<void>, stopped: ReadonlySet<ServerProcess>): Promise<ServerProcess | undefined>;
  /** Returns the server processes that wait for a lock. */
  waiting(): Promise<ReadonlySet<ServerProcess>>;
  resume(stopped: ServerProcess): void;
  /** Describes a deadlock among `stopped` for an error message. Returns undefined if there is none. */
  deadlock(stopped: ReadonlySet<ServerProcess>): Promise<string | undefined>;
}

/** Almost every statement completes within this time. A statement that waits for a lock costs at least this time. */
const FIRST_LOOK_MS = 8;
/** Querying the locks costs about as much as a statement, so the pauses grow on a slow machine. */
const PAUSE_GROWS_BY_MS = 4;
/** A busy machine may suspend a server process for minutes. */
const STUCK_MS = 10 * 60_000;

export function createLockWatch(admin: Admin): LockWatch {
  async function waiting(): Promise<ReadonlySet<ServerProcess>> {
    const { rows } = await admin.query<{ pid: number }>({
      name: 'waiting',
      text: `select distinct pid from pg_locks as l join pg_stat_activity as a using (pid)
        where not l.granted and a.datname = current_database()`,
    });
    return new Set(rows.map(({ pid }) => pid));
  }

  /** Describes the connections as the server sees them, for an error message. */
  async function describe(): Promise<string> {
    const { rows } = await admin.query(
      `select pid, application_name, state, wait_event, pg_blocking_pids(pid) as blocked_by, left(query, 60) as query
       from pg_stat_activity where datname = current_database() and state <> 'idle'`,
    );
    return JSON.stringify(rows);
  }

  return {
    waiting,
    async untilBlocked(ended, stopped) {
      let isOver = false;
      const over = ended.then(() => {
        isOver = true;
      });
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, FIRST_LOOK_MS);
      await Promise.race([over, late]);
      clearTimeout(timer);
      let pauseMs = 0;
      for (const begunAt = performance.now(); !isOver; ) {
        const [blocked] = [...(await waiting())].filter((pid) => !stopped.has(pid));
        if (!isOver && blocked !== undefined) {
          process.kill(blocked, 'SIGSTOP');
          return blocked;
        }
        pauseMs += PAUSE_GROWS_BY_MS;
        await Promise.race([over, sleep(pauseMs)]);
        if (performance.now() - begunAt > STUCK_MS)
          throw new Error(`A statement neither ended nor waits for a lock: ${await describe()}`);
      }
      return undefined;
    },
    resume: (stopped) => void process.kill(stopped, 'SIGCONT'),
    async deadlock(stopped) {
      const { rows } = await admin.query<{ pid: number; blocked_by: readonly number[] }>(
        `select pid, pg_blocking_pids(pid) as blocked_by from unnest($1::integer[]) as s(pid)`,
        [[...stopped]],
      );
      let circle = rows;
      for (let before = -1; before !== circle.length; ) {
        before = circle.length;
        const inside = new Set(circle.map(({ pid }) => pid));
        circle = circle.filter(({ blocked_by }) => blocked_by.length > 0 && blocked_by.every((pid) => inside.has(pid)));
      }
      return circle.length === 0 ? undefined : describe();
    },
  };
}

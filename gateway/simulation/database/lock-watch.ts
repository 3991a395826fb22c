/**
 * Asks PostgreSQL whether a statement of the simulated database waits for a lock, so that other actors may continue during the
 * wait. It stops the server process of a statement that waits: a commit may grant the locks of several statements, and the
 * machine would decide which of them runs first.
 */
import { clearTimeout, setTimeout } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin } from './restorable-database.ts';

/** A process of PostgreSQL's server. */
export type ServerProcess = number;

export interface LockWatch {
  /**
   * Waits until the statement waits for a lock, then stops its server process and returns it. Returns undefined if the
   * statement ended first. `stopped` lists the server processes of the statements that wait already.
   */
  untilBlocked(ended: Promise<void>, stopped: ReadonlySet<ServerProcess>): Promise<ServerProcess | undefined>;
  /** Returns the server processes whose lock is not granted yet. */
  waiting(): Promise<ReadonlySet<ServerProcess>>;
  /** Continues a stopped server process. */
  resume(stopped: ServerProcess): void;
  /** Describes, for an error, a deadlock among the statements of `stopped`. Undefined if there is none. */
  deadlock(stopped: ReadonlySet<ServerProcess>): Promise<string | undefined>;
}

/** Nearly every statement has ended by then. Many statements of a busy moment wait for a lock, and each costs this time. */
const FIRST_LOOK_MS = 8;
/** A query of the locks costs about as much as a statement, so the pauses grow on a slow machine. */
const PAUSE_GROWS_BY_MS = 4;
/** A machine with other work may give a server no time for minutes. */
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

  /** Returns the server's view of the connections, for an error. */
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

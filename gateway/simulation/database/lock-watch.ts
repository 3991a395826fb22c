/**
 * Asks PostgreSQL whether a statement of the simulated database waits for a lock, so that other actors may continue during the
 * wait.
 */
import { clearTimeout, setTimeout } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin } from './restorable-database.ts';

export interface LockWatch {
  /** Returns true once the statement waits for a lock; `waiting`: the statements that wait already. False when it ended. */
  untilBlocked(ended: Promise<void>, waiting: () => number): Promise<boolean>;
  /** Resolves when all statements that still wait do so for a lock. */
  untilStill(waiting: () => number): Promise<void>;
}

/** Nearly every statement has ended by then. Many statements of a busy moment wait for a lock, and each costs this time. */
const FIRST_LOOK_MS = 8;
/** A query of the locks costs about as much as a statement, so the pauses grow on a slow machine. */
const PAUSE_GROWS_BY_MS = 4;
const STILL_EVERY_MS = 1;
/** A machine with other work may give a server no time for minutes. */
const STUCK_MS = 10 * 60_000;

export function createLockWatch(admin: Admin): LockWatch {
  async function countWaiting(): Promise<number> {
    const { rows } = await admin.query<{ count: number }>({
      name: 'waiting',
      text: `select count(distinct pid)::int from pg_locks as l join pg_stat_activity as a using (pid)
        where not l.granted and a.datname = current_database()`,
    });
    return rows[0]?.count ?? 0;
  }

  /** Returns the server's view of the connections, for an error. */
  async function describe(): Promise<string> {
    const { rows } = await admin.query(
      `select application_name, state, wait_event, left(query, 60) as query from pg_stat_activity
       where datname = current_database() and state <> 'idle'`,
    );
    return JSON.stringify(rows);
  }

  return {
    async untilBlocked(ended, waiting) {
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
        const count = await countWaiting();
        if (!isOver && count > waiting()) return true;
        pauseMs += PAUSE_GROWS_BY_MS;
        await Promise.race([over, sleep(pauseMs)]);
        if (performance.now() - begunAt > STUCK_MS)
          throw new Error(`A statement neither ended nor waits for a lock: ${await describe()}`);
      }
      return false;
    },
    async untilStill(waiting) {
      for (const begunAt = performance.now(); (await countWaiting()) < waiting(); ) {
        await sleep(STILL_EVERY_MS);
        if (performance.now() - begunAt > STUCK_MS) throw new Error('A statement that got its lock does not end.');
      }
    },
  };
}

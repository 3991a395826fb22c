/**
 * Work that only one process does at a time, whichever it is: who dies lets go with its connection. However much of it is
 * under way, its locks take one connection out of the pool; with one for each, the work itself would find none left.
 */
import { lockKey } from './advisory-locks.ts';
import type { Database } from './database.ts';

/**
 * Runs `work` while holding a lock of that name; does nothing when another process holds it. Within a process no name may be
 * used twice at once.
 */
export type RunExclusively = (name: string, work: () => Promise<unknown>) => Promise<void>;

export function createExclusiveWork(database: Pick<Database, 'connect'>): RunExclusively {
  let current: LockSession | undefined;
  return async (name, work) => {
    current ??= openLockSession(database);
    const session = current;
    // Whoever comes later takes another: this one is of no use any more.
    const leave = () => {
      if (current === session) current = undefined;
    };
    session.users += 1;
    try {
      const isHeld = await session.ask('pg_try_advisory_lock', name).catch((error: unknown) => {
        leave();
        throw error;
      });
      if (!isHeld) return;
      // A connection that broke meanwhile has let go by itself.
      await work().finally(() => session.ask('pg_advisory_unlock', name).catch(leave));
    } finally {
      session.users -= 1;
      if (session.users === 0) {
        leave();
        await session.close();
      }
    }
  };
}

interface LockSession {
  users: number;
  ask(lockFunction: 'pg_try_advisory_lock' | 'pg_advisory_unlock', name: string): Promise<boolean>;
  close(): Promise<void>;
}

function openLockSession({ connect }: Pick<Database, 'connect'>): LockSession {
  const opened = connect();
  // One statement at a time, as a connection takes them.
  let last: Promise<unknown> = opened;
  return {
    users: 0,
    ask(lockFunction, name) {
      const answer = last.then(async () => {
        const { connection } = await opened;
        const question = `select ${lockFunction}(${lockKey('work', '$1')}) as done`;
        const [row] = await connection.query<{ done: boolean }>(question, [name]);
        return row?.done === true;
      });
      last = answer.catch(() => {});
      return answer;
    },
    close: () =>
      opened.then(
        ({ release }) => release(),
        () => {},
      ),
  };
}

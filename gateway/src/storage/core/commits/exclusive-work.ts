/**
 * Runs work in one process at a time. The lock of a crashed process ends with its connection. All locks of a process share one
 * pooled connection, so that the work itself finds free connections.
 */
import { lockKey } from '../advisory-locks.ts';
import type { Database } from '../database.ts';

/**
 * Runs `work` while it holds the lock of that name. Does nothing if another process holds the lock. Within a process, a name
 * must not run twice concurrently.
 */
type RunExclusively = (name: string, work: () => Promise<unknown>) => Promise<void>;

export function createExclusiveWork(database: Pick<Database, 'connect'>): RunExclusively {
  let current: LockSession | undefined;
  return async (name, work) => {
    current ??= openLockSession(database);
    const session = current;
    // Later work opens another session, because this one has failed.
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
      // A connection that broke during the work has released its locks.
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
  // A connection takes one statement at a time.
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

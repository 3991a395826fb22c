/** Work that only one process does at a time, whichever it is: who dies lets go with its connection. */
import { lockKey } from './advisory-locks.ts';
import type { Database } from './database.ts';

/** Runs `work` while holding a lock of that name; does nothing when another process holds it. */
export async function runExclusively(database: Database, name: string, work: () => Promise<unknown>): Promise<void> {
  const { connection, release } = await database.connect();
  try {
    const [row] = await connection.query<{ held: boolean }>(
      `select pg_try_advisory_lock(${lockKey('work', '$1')}) as held`,
      [name],
    );
    if (row?.held) await work();
  } finally {
    release();
  }
}

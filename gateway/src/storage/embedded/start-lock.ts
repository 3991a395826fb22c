/**
 * Lets one process at a time prepare and start a server. It saves the others work that would fail. The start is safe without
 * it: one rename creates a cluster, and PostgreSQL locks the folder itself. So a process may simply take over the lock of a
 * dead one.
 */
import { readlink, rm, symlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../../foundation/error-code.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { isNamedAlive, nameOfProcess } from './living-process.ts';

const RETRY_MS = 50;
const ATTEMPTS = 1_800;

/** Runs `work` while it holds `lock`: a dangling symbolic link whose target identifies the holder's process. */
export async function withStartLock<Value>(lock: string, work: () => Promise<Value>): Promise<Value> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await acquire(lock)) {
      try {
        return await work();
      } finally {
        await rm(lock, { force: true });
      }
    }
    await sleep(RETRY_MS);
  }
  throw new EmbeddedPostgresError(
    `Process ${Number.parseInt((await holder(lock)) ?? '', 10)} has been starting the database for ${(ATTEMPTS * RETRY_MS) / 1_000} s`,
    `End that process if it hangs; if it is not a gateway, delete ${lock}`,
  );
}

async function acquire(lock: string): Promise<boolean> {
  try {
    await symlink(await nameOfProcess(process.pid), lock);
    return true;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  const name = await holder(lock);
  if (name !== undefined && !(await isNamedAlive(name))) await rm(lock, { force: true });
  return false;
}

function holder(lock: string): Promise<string | undefined> {
  return readlink(lock).catch(() => undefined);
}

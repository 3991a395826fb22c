/**
 * Deletes root's databases after their data directory was deleted. Their files are elsewhere (root-home.ts), so a user who
 * deletes `./data` does not see them. A database is an orphan only if no pointer leads to it, its pointer has no second
 * name, and the file system of the pointer is mounted. A moved data directory keeps its pointer. An orphan is kept for a
 * week, because a data directory that was moved to another file system looks deleted until a gateway starts in its new place.
 */
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DAY_MS, formatUtc, type Instant } from '../../foundation/clock.ts';
import { installPrograms } from './native-programs.ts';
import { filesOf, listRootHomes, type Origin, type RootHome, readPointer, removeRootHome } from './root-home.ts';
import { stopServer } from './server-process.ts';
import { joinServer, leaveServer } from './server-users.ts';

const KEPT_MS = 7 * DAY_MS;

/** Marks orphans among `homes` (default: all of root), and deletes those marked a week ago. Returns a line per change. */
export async function removeOrphanedHomes(now: Instant, homes?: readonly RootHome[]): Promise<string[]> {
  // Only root can write there. Another user's gateway must start in spite of root's orphans.
  if (process.getuid?.() !== 0) return [];
  const lines = await Promise.all((homes ?? (await listRootHomes())).map((home) => tidyIfPossible(home, now)));
  return lines.filter((line) => line !== undefined);
}

/** If the deletion fails, for example on a full disk, the gateway must still start. */
async function tidyIfPossible(home: RootHome, now: Instant): Promise<string | undefined> {
  try {
    return await tidy(home, now);
  } catch (error) {
    return `The database in ${home.folder} may be an orphan and could not be checked (${(error as Error).message})`;
  }
}

async function tidy({ folder, origin }: RootHome, now: Instant): Promise<string | undefined> {
  const mark = filesOf(folder).orphaned;
  // Read the marks first: a mark that another process makes later belongs to a newer check.
  const since = await readMark(mark);
  if (!origin || !(await isOrphan(folder, origin))) {
    if (since !== undefined) await rm(mark, { force: true });
    return undefined;
  }
  const where = `The data directory ${origin.dataDirectory} was deleted, and its database in ${folder}`;
  if (since === undefined) {
    await writeFile(mark, `${now}\n`, { mode: 0o600 });
    return `${where} is deleted after ${formatUtc(now + KEPT_MS)}`;
  }
  if (now - since < KEPT_MS || !(await endServer(folder)) || !(await isOrphan(folder, origin))) return undefined;
  await removeRootHome(folder);
  return `${where} is deleted now`;
}

async function isOrphan(folder: string, { dataDirectory, device }: Origin): Promise<boolean> {
  if ((await readPointer(dataDirectory)) === folder) return false;
  const pointer = await stat(filesOf(folder).pointer).catch(() => undefined);
  return pointer?.nlink === 1 && (await deviceAt(dataDirectory)) === device;
}

/** Returns the device of the nearest existing folder. An unmounted file system leaves its mount point, elsewhere. */
async function deviceAt(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  return found?.dev ?? deviceAt(dirname(path));
}

async function readMark(mark: string): Promise<Instant | undefined> {
  const text = await readFile(mark, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Number(text);
}

/** Stops a server that a killed process left behind. Returns false while a process uses the server. */
async function endServer(folder: string): Promise<boolean> {
  const joined = await joinServer(folder, () => {});
  if (typeof joined === 'string') return joined === 'absent';
  try {
    if (!(await leaveServer(joined))) return false;
    const { uid, gid } = await stat(folder);
    await stopServer({ folder, account: { uid, gid } }, await installPrograms(folder));
    return true;
  } finally {
    await joined.end().catch(() => {});
  }
}

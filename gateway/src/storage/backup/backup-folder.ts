/**
 * The folder of the backups: a folder for each base backup under `base/`, and PostgreSQL's log since then under `wal/`. Its
 * files are PostgreSQL's own, so its tools can also restore them.
 */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Instant } from '../../foundation/clock.ts';
import { BackupError } from './backup-error.ts';
import { parsePosition, readSegmentName, startOfSegment } from './wal-position.ts';

/** A base backup, as its file `backup.json` describes it. */
export interface BaseBackup {
  /** The time of its end, such as `2026-11-25T02-00-00Z`. It is the name of its folder. */
  readonly name: string;
  readonly takenAt: Instant;
  readonly systemId: string;
  /** The major version of the PostgreSQL that can read it. */
  readonly postgresVersion: number;
  readonly timeline: number;
  /** The position where the backup's log begins. */
  readonly startPosition: string;
  /** The restored database is consistent from here on. */
  readonly endPosition: string;
  readonly bytes: number;
}

export const BASE_ARCHIVE = 'base.tar.gz';
export const MANIFEST = 'backup_manifest';
const DESCRIPTION = 'backup.json';
const SYSTEM_ID = 'system-id';
const UNFINISHED = '.unfinished';

export const baseFolder = (folder: string): string => join(folder, 'base');
export const walFolder = (folder: string): string => join(folder, 'wal');

/** One folder holds the backups of one server and of its successors after a failover or a restore. Throws BackupError. */
export async function keepSystemId(folder: string, systemId: string): Promise<void> {
  const path = join(folder, SYSTEM_ID);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const known = await readFile(path, 'utf8').catch(() => undefined);
  if (known === undefined) return writeFile(path, `${systemId}\n`, { mode: 0o600, flush: true });
  if (known.trim() !== systemId)
    throw new BackupError(`${folder} contains the backups of another server`, 'Pass another directory with --to');
}

/** Creates the folder for a base backup in progress, and deletes an earlier, interrupted backup. */
export async function beginBase(folder: string): Promise<string> {
  const unfinished = join(baseFolder(folder), UNFINISHED);
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  return unfinished;
}

/** Gives the base backup its name. Before that, no restore finds it. */
export async function finishBase(folder: string, backup: BaseBackup): Promise<void> {
  const unfinished = join(baseFolder(folder), UNFINISHED);
  await writeFile(join(unfinished, DESCRIPTION), `${JSON.stringify(backup, null, 2)}\n`, { flush: true });
  await rename(unfinished, join(baseFolder(folder), backup.name));
}

/** Returns the oldest backup first. */
export async function listBases(folder: string): Promise<BaseBackup[]> {
  const names = (await readdir(baseFolder(folder)).catch(() => [])).filter((name) => name !== UNFINISHED).sort();
  return Promise.all(
    names.map(async (name) => JSON.parse(await readFile(join(baseFolder(folder), name, DESCRIPTION), 'utf8'))),
  );
}

interface ArchivedLog {
  readonly segments: number;
  readonly bytes: number;
  /** When the archive last grew, or null if it is empty. */
  readonly changedAt: Instant | null;
}

export async function describeLog(folder: string): Promise<ArchivedLog> {
  const names = (await readdir(walFolder(folder)).catch(() => [])).filter((name) => readSegmentName(name));
  const files = await Promise.all(names.map((name) => stat(join(walFolder(folder), name)).catch(() => undefined)));
  const there = files.filter((file) => file !== undefined);
  return {
    segments: there.length,
    bytes: there.reduce((sum, { size }) => sum + size, 0),
    changedAt: there.length === 0 ? null : Math.max(...there.map(({ mtimeMs }) => Math.round(mtimeMs))),
  };
}

/** Keeps the newest base backups, and the log since the oldest of them. Returns the names of the deleted ones. */
export async function deleteOldBackups(folder: string, keep: number): Promise<string[]> {
  const bases = await listBases(folder);
  const old = bases.slice(0, Math.max(0, bases.length - keep));
  const [oldest] = bases.slice(old.length);
  for (const { name } of old) await rm(join(baseFolder(folder), name), { recursive: true });
  if (oldest && old.length > 0) await deleteLogBefore(folder, oldest);
  return old.map(({ name }) => name);
}

async function deleteLogBefore(folder: string, { timeline, startPosition }: BaseBackup): Promise<void> {
  const first = startOfSegment(parsePosition(startPosition));
  for (const name of await readdir(walFolder(folder)).catch(() => [])) {
    const segment = readSegmentName(name);
    if (segment && segment.timeline <= timeline && segment.start < first) await rm(join(walFolder(folder), name));
  }
}

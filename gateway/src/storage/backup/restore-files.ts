/**
 * Unpacks a base backup into an empty folder, and configures PostgreSQL to replay the archived log over it. Starting the
 * server is the caller's task.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { appendFile, chmod, chown, copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { formatUtc, type Instant } from '../../foundation/clock.ts';
import { BackupError } from './backup-error.ts';
import { BASE_ARCHIVE, type BaseBackup, baseFolder, listBases, MANIFEST, walFolder } from './backup-folder.ts';
import { checkedManifest, type ManifestFile } from './take-base-backup.ts';
import { parsePosition, readSegmentName, startOfSegment } from './wal-position.ts';

interface RestoreOrder {
  /** The folder of all backups. */
  readonly folder: string;
  /** The data directory to make. It must be empty. */
  readonly target: string;
  /** The time to restore. If null, PostgreSQL replays the entire archive. */
  readonly until: Instant | null;
  /** Owns the files, if it is not the user of this process. */
  readonly account: { readonly uid: number; readonly gid: number } | undefined;
}

/** Returns the newest base backup that ended before `until`. Throws BackupError. */
export async function chooseBase(folder: string, until: Instant | null): Promise<BaseBackup> {
  const bases = await listBases(folder);
  const fit = bases.filter(({ takenAt }) => until === null || takenAt <= until).at(-1);
  if (fit) return fit;
  throw bases.length === 0
    ? new BackupError(`${folder} does not contain a base backup`, 'Run "gateway backup take" first')
    : new BackupError('No base backup was finished before that time', 'See "gateway backup list" for their times');
}

/** Checks the archive against its manifest. Throws BackupError. */
export async function restoreFiles(order: RestoreOrder): Promise<BaseBackup> {
  const { folder, target, until } = order;
  const base = await chooseBase(folder, until);
  if ((await readdir(target)).length > 0)
    throw new BackupError(`${target} is not empty`, 'Pass an empty directory. The restore never overwrites files.');
  const source = join(baseFolder(folder), base.name);
  await unpack(join(source, BASE_ARCHIVE), target);
  await checkFiles(target, checkedManifest(await readFile(join(source, MANIFEST))).Files);
  await configureReplay(order, await logFor(order, base));
  await chmod(target, 0o700);
  if (order.account) await ownAll(target, order.account);
  return base;
}

async function unpack(archive: string, target: string): Promise<void> {
  const tar = spawn('tar', ['-x', '-p', '--no-same-owner', '-f', '-', '-C', target], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const complaints: Buffer[] = [];
  tar.stderr.on('data', (part: Buffer) => void complaints.push(part));
  const exited = once(tar, 'exit');
  const piped = pipeline(createReadStream(archive), createGunzip(), tar.stdin).catch((error: Error) => error);
  const [code] = await exited;
  const failure = await piped;
  if (code === 0 && failure === undefined) return;
  const reason = Buffer.concat(complaints).toString().trim() || (failure?.message ?? `tar exited with ${code}`);
  throw new BackupError(`The base backup cannot be unpacked (${reason})`, 'Use another base backup');
}

/** The log within the backup is not listed: each of its records has a checksum that the replay checks. */
async function checkFiles(target: string, files: readonly ManifestFile[]): Promise<void> {
  for (const { Path, 'Encoded-Path': encoded, Size, Checksum } of files) {
    const path = Path ?? Buffer.from(encoded ?? '', 'hex').toString();
    const hash = createHash('sha256');
    let size = 0;
    for await (const part of createReadStream(join(target, path))) {
      hash.update(part);
      size += part.length;
    }
    if (size !== Size || hash.digest('hex') !== Checksum)
      throw new BackupError(`The file ${path} of the base backup is damaged`, 'Use another base backup');
  }
}

/** The server that replays the log may run as another user, who cannot read the archive. It then gets a copy. */
async function logFor({ folder, target, account }: RestoreOrder, base: BaseBackup): Promise<string> {
  const archive = resolve(walFolder(folder));
  if (!account) return archive;
  const copy = `${target}${LOG_COPY}`;
  await mkdir(copy, { mode: 0o700 });
  const first = startOfSegment(parsePosition(base.startPosition));
  for (const name of await readdir(archive).catch(() => [])) {
    const segment = readSegmentName(name);
    if (segment === undefined || segment.start >= first) await copyFile(join(archive, name), join(copy, name));
  }
  await ownAll(copy, account);
  return copy;
}

/** The suffix of a folder next to the data directory. Delete the folder when the log is replayed. */
export const LOG_COPY = '-log';

/** A server that was itself restored has that restore's recovery target in its configuration, and so in its backups. */
const OTHER_TARGETS = {
  recovery_target: '',
  recovery_target_name: '',
  recovery_target_xid: '',
  recovery_target_lsn: '',
};

async function configureReplay({ target, until }: RestoreOrder, log: string): Promise<void> {
  const wal = log.replaceAll("'", "''");
  const fetch = `cp "${wal}/%f" "%p" 2>/dev/null || cp "${wal}/%f.partial" "%p" 2>/dev/null`;
  const settings = {
    restore_command: fetch,
    recovery_target_timeline: 'latest',
    recovery_target_action: 'promote',
    ...OTHER_TARGETS,
    recovery_target_time: until === null ? '' : `${formatUtc(until)}.${String(until % 1_000).padStart(3, '0')}+00`,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  await appendFile(join(target, 'postgresql.auto.conf'), lines.join(''));
  await writeFile(join(target, 'recovery.signal'), '');
}

async function ownAll(folder: string, account: { uid: number; gid: number }): Promise<void> {
  await chown(folder, account.uid, account.gid);
  for (const { name, parentPath } of await readdir(folder, { recursive: true, withFileTypes: true }))
    await chown(join(parentPath, name), account.uid, account.gid);
}

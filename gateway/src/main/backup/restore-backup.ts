/**
 * Restores a backup into a data directory that a server will use. An embedded database is complete afterwards. Another server
 * replays the WAL when the operator starts it on the data directory.
 */
import { mkdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Restore, RestoredBackup } from '../../domain/backup/backups.ts';
import { BackupError } from '../../storage/backup/backup-error.ts';
import { LOG_COPY, restoreFiles } from '../../storage/backup/restore-files.ts';
import { type Account, readRecoveredUntil, startScratchServer } from '../../storage/backup/scratch-server.ts';
import { findHome, makeHome, prepareDataDirectory } from '../../storage/embedded/server-home.ts';
import { CLUSTER, SUPERUSER } from '../../storage/embedded/server-process.ts';
import type { BackupParts } from './backup-parts.ts';
import { findServerPrograms } from './server-programs.ts';

export async function restoreBackup(parts: BackupParts, order: Restore): Promise<RestoredBackup> {
  return order.target === null ? restoreEmbedded(parts, order) : restoreElsewhere(order, resolve(order.target));
}

/** Root restores for the owner of the folder, who runs the server. */
async function restoreElsewhere({ folder, until }: Restore, target: string): Promise<RestoredBackup> {
  await mkdir(target, { recursive: true, mode: 0o700 });
  const { name } = await restoreFiles({ folder, target, until, account: await ownerOf(target) });
  return { backup: name, target, recoveredUntil: null };
}

async function ownerOf(target: string): Promise<Account | undefined> {
  const { uid, gid } = await stat(target);
  return uid === process.getuid?.() ? undefined : { uid, gid };
}

async function restoreEmbedded({ config, clock, onProgress }: BackupParts, order: Restore): Promise<RestoredBackup> {
  if (config.databaseUrl !== null)
    throw new BackupError('DATABASE_URL is set, so there is no embedded database', 'Pass a data directory with --to');
  const dataDirectory = await prepareDataDirectory(config.dataDir);
  const home = (await findHome(dataDirectory)) ?? (await makeHome(dataDirectory));
  const target = join(home.folder, CLUSTER);
  if (await stat(target).catch(() => undefined))
    throw new BackupError(
      `${dataDirectory} already contains a database`,
      'Stop every process and move that directory away, or set GATEWAY_DATA_DIR to another directory',
    );
  await mkdir(target, { mode: 0o700 });
  const base = await restoreFiles({ ...order, target, account: home.account });
  onProgress(`Replaying the WAL over the backup ${base.name}`);
  const programs = await findServerPrograms(base, null, home.folder);
  const login = { user: SUPERUSER, database: 'postgres' };
  const scratch = { folder: home.folder, data: CLUSTER, programs, account: home.account, login };
  const server = await startScratchServer(scratch, clock);
  const recoveredUntil = await readRecoveredUntil(server.connection);
  await server.stop();
  await rm(`${target}${LOG_COPY}`, { recursive: true, force: true });
  return { backup: base.name, target, recoveredUntil: recoveredUntil ?? base.takenAt };
}

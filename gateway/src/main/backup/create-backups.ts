/** Implements Backups: base backups and WAL over the replication protocol, restores with PostgreSQL's own programs. */
import type { Backups } from '../../domain/backup/backups.ts';
import { deleteOldBackups, describeLog, listBases } from '../../storage/backup/backup-folder.ts';
import { followLog } from '../../storage/backup/follow-log.ts';
import { createProofStore } from '../../storage/backup/proof-store.ts';
import { takeBaseBackup } from '../../storage/backup/take-base-backup.ts';
import { type Database, openDatabase } from '../../storage/core/database.ts';
import { findDatabase } from '../compose/open-connection.ts';
import type { BackupParts, ServerToBackUp } from './backup-parts.ts';
import { proveBackup } from './prove-backup.ts';
import { restoreBackup } from './restore-backup.ts';

export function createBackups(parts: BackupParts): Backups {
  const { clock, onProgress } = parts;
  return {
    take: (folder, keep) =>
      onServer(parts, async ({ replication }) => {
        const base = await takeBaseBackup(replication, folder, clock);
        return { ...base, deleted: keep === null ? [] : await deleteOldBackups(folder, keep) };
      }),
    follow: (folder, signal) =>
      onServer(parts, ({ replication }) =>
        followLog({
          connection: replication,
          folder,
          clock,
          signal,
          onInterrupted: ({ message }) => onProgress(`The archiving was interrupted (${message}); retrying`),
        }),
      ),
    list: async (folder) => ({ backups: await listBases(folder), log: await describeLog(folder) }),
    prove: (order) =>
      onServer(parts, (server) => withDatabase(server, (database) => proveBackup(parts, server, database, order))),
    proofs: (limit) =>
      onServer(parts, (server) => withDatabase(server, (database) => createProofStore(database).list(limit))),
    restore: (order) => restoreBackup(parts, order),
  };
}

async function onServer<Value>(
  { config, onProgress }: BackupParts,
  work: (server: ServerToBackUp) => Promise<Value>,
): Promise<Value> {
  const found = await findDatabase(config, onProgress);
  const { backupDatabaseUrl: url } = config;
  const replication = url === null ? found.connection : { connectionString: url.reveal() };
  try {
    return await work({ ...found, replication });
  } finally {
    await found.close();
  }
}

async function withDatabase<Value>(
  { connection }: ServerToBackUp,
  work: (database: Database) => Promise<Value>,
): Promise<Value> {
  const database = openDatabase(connection, { poolSize: 2 });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

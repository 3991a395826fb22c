/**
 * The only temporary PostgreSQL of a test run, with a migrated template database to clone. It ends with the run
 * (end-test-run.ts).
 *
 * Its databases are in memory if there is enough: a database consists of hundreds of files, and ext4 creates files slowly just
 * after many were deleted. A clone then takes 20 ms of CPU time instead of 300.
 */
import { chown, mkdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { installPrograms } from '../../src/storage/embedded/native-programs.ts';
import { makeHome, prepareDataDirectory, type ServerHome } from '../../src/storage/embedded/server-home.ts';
import { makeClusterIfMissing, startServer } from '../../src/storage/embedded/server-process.ts';
import { connectionConfigFor } from '../../src/storage/embedded/server-users.ts';
import { migrate } from '../../src/storage/migrations/migrate.ts';
import { EMPTY, publishTestServer, SERVING_LOGIN, TEMPLATE } from '../support/postgres/postgres.ts';
import { MEMORY, memoryFolderOf } from './memory-folder.ts';

/** The magic number of tmpfs on Linux. */
const TMPFS = 0x01021994;
/** A run needs a quarter of it. */
const MEMORY_NEEDED = 4 * 1024 ** 3;

/** Starts the server for test processes that are started later. */
export async function startTestServer(runFolder: string): Promise<void> {
  const dataDirectory = join(runFolder, 'server');
  await mkdir(dataDirectory);
  const home = await makeHome(await prepareDataDirectory(dataDirectory));
  const programs = await installPrograms(home.folder);
  await makeClusterIfMissing(home, programs, false, () => {});
  await startServer(home, programs, false);
  const config = connectionConfigFor(home.folder, 'postgres');
  await makeTemplates(config, await makeMemoryFolder(runFolder, home));
  publishTestServer(config);
}

/** Returns undefined if there is no tmpfs, or too little memory for the databases of a run. */
async function makeMemoryFolder(runFolder: string, { account }: ServerHome): Promise<string | undefined> {
  const room = await statfs(MEMORY).catch(() => undefined);
  const bytes = room?.type === TMPFS ? Math.min(room.bavail * room.bsize, process.availableMemory()) : 0;
  if (bytes < MEMORY_NEEDED) return undefined;
  const folder = memoryFolderOf(runFolder);
  await mkdir(folder, { mode: 0o700 });
  if (account) await chown(folder, account.uid, account.gid);
  return folder;
}

/** A cloned database is stored in the tablespace of its template. */
async function makeTemplates(config: pg.ClientConfig, memoryFolder: string | undefined): Promise<void> {
  const owner = new pg.Client(config);
  await owner.connect();
  try {
    if (memoryFolder) await owner.query(`create tablespace in_memory location '${memoryFolder}'`);
    const tablespace = memoryFolder ? 'in_memory' : 'pg_default';
    await owner.query(`create database ${EMPTY} template template0 tablespace ${tablespace}`);
    await owner.query(`create database ${TEMPLATE} tablespace ${tablespace}`);
    await migrate({ ...config, database: TEMPLATE });
    await owner.query(`create role ${SERVING_LOGIN} login`);
    await owner.query(`grant gateway_app to ${SERVING_LOGIN}`);
  } finally {
    await owner.end();
  }
}

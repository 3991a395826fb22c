/**
 * The only temporary PostgreSQL of a test run, with a migrated template to clone. It ends with the run
 * (end-test-run.ts).
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { installPrograms } from '../../src/storage/embedded/native-programs.ts';
import { makeHome, prepareDataDirectory } from '../../src/storage/embedded/server-home.ts';
import { makeClusterIfMissing, startServer } from '../../src/storage/embedded/server-process.ts';
import { connectionConfigFor } from '../../src/storage/embedded/use-of-server.ts';
import { migrate } from '../../src/storage/migrations/migrate.ts';
import { publishTestServer, SERVING_LOGIN, TEMPLATE } from '../support/postgres.ts';

/** Starts the server for the test processes that are spawned afterwards. */
export async function startTestServer(runFolder: string): Promise<void> {
  const dataDirectory = join(runFolder, 'server');
  await mkdir(dataDirectory);
  const home = await makeHome(await prepareDataDirectory(dataDirectory));
  const programs = await installPrograms(home.folder);
  await makeClusterIfMissing(home, programs, false, () => {});
  await startServer(home, programs, false);
  const config = connectionConfigFor(home.folder, 'postgres');
  await makeTemplate(config);
  publishTestServer(config);
}

async function makeTemplate(config: pg.ClientConfig): Promise<void> {
  const owner = new pg.Client(config);
  await owner.connect();
  try {
    await owner.query(`create database ${TEMPLATE}`);
    await migrate({ ...config, database: TEMPLATE });
    await owner.query(`create role ${SERVING_LOGIN} login`);
    await owner.query(`grant gateway_app to ${SERVING_LOGIN}`);
  } finally {
    await owner.end();
  }
}

/** The one temporary PostgreSQL of a test run, with a migrated template to clone. Afterwards nothing of it is left. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openEmbeddedPostgres } from '../../src/storage/embedded/embedded-postgres.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { publishTestServer, TEMPLATE } from '../support/postgres.ts';

/** Starts the server for the test processes that are spawned from here on. Returns how to remove it. */
export async function startTestServer(): Promise<() => Promise<void>> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'gateway-test-'));
  const server = await openEmbeddedPostgres({ dataDirectory, durable: false, log: () => {} });
  const remove = async () => {
    await server.close();
    await rm(server.folder, { recursive: true, force: true });
    await rm(dataDirectory, { recursive: true, force: true });
  };
  try {
    await makeTemplate(server.connectionConfig);
  } catch (error) {
    await remove();
    throw error;
  }
  publishTestServer(server.connectionConfig);
  return remove;
}

async function makeTemplate(config: pg.ClientConfig): Promise<void> {
  const owner = new pg.Client(config);
  await owner.connect();
  await owner.query(`create database ${TEMPLATE}`);
  await owner.end();
  await migrate({ ...config, database: TEMPLATE });
}

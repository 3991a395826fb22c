/** Before the first test: one temporary PostgreSQL with a migrated template. After the last: nothing of it is left. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../../src/storage/embedded/embedded-postgres.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { publishTestServer, TEMPLATE } from '../support/postgres.ts';

let server: EmbeddedPostgres | undefined;
let dataDirectory: string | undefined;

export async function globalSetup(): Promise<void> {
  dataDirectory = await mkdtemp(join(tmpdir(), 'gateway-test-'));
  server = await openEmbeddedPostgres({ dataDirectory, durable: false, log: () => {} });
  const owner = new pg.Client(server.connectionConfig);
  await owner.connect();
  await owner.query(`create database ${TEMPLATE}`);
  await owner.end();
  await migrate({ ...server.connectionConfig, database: TEMPLATE });
  publishTestServer(server.connectionConfig);
}

export async function globalTeardown(): Promise<void> {
  await server?.close();
  if (server) await rm(server.folder, { recursive: true, force: true });
  if (dataDirectory) await rm(dataDirectory, { recursive: true, force: true });
}

/** A separate database for each test file: a clone of the migrated template in the run's temporary PostgreSQL. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { ConnectionConfig } from '../../../src/storage/embedded/server-users.ts';

export const TEMPLATE = 'gateway_template';

/** A template without tables. */
export const EMPTY = 'gateway_empty';

/** The login that is created together with the template, for the entire server. */
export const SERVING_LOGIN = 'gateway_serve';

/** The variable that passes the server's address to the test processes. */
const SERVER = 'TEST_POSTGRES';

const CONNECTIONS_END_RETRY_MS = 20;
const CONNECTIONS_END_ATTEMPTS = 100;

export interface TestDatabase {
  /** The connection of a superuser, which may also migrate. */
  readonly config: ConnectionConfig;
  /** The documented login of a serving gateway, which may act only as gateway_app. */
  readonly connectionString: string;
  /** The superuser's connection string, for `gateway migrate`. */
  readonly ownerConnectionString: string;
  /** Connects as the superuser, with more rights than the gateway. */
  readonly pool: pg.Pool;
  /** Drops the database. Fails if connections are still open, or if PostgreSQL counted a deadlock in it. */
  close(): Promise<void>;
}

let clones = 0;

/**
 * Clones the template. `empty` creates an empty database, for tests of migrations. Alternatively clones another test's current
 * database, to which no one may be connected.
 */
export async function createTestDatabase(
  from: 'template' | 'empty' | TestDatabase = 'template',
): Promise<TestDatabase> {
  const server = testServer();
  const database = `test_${process.pid}_${++clones}`;
  await administer(server, `create database ${database} template ${originalOf(from)} strategy file_copy`);
  const config = { ...server, database };
  const pool = new pg.Pool(config);
  return {
    config,
    connectionString: urlOf(config, SERVING_LOGIN),
    ownerConnectionString: urlOf(config, config.user),
    pool,
    async close() {
      await pool.end();
      const deadlocks = await countDeadlocks(server, database);
      await administer(server, `drop database ${database}`);
      if (deadlocks > 0) throw new Error(`PostgreSQL counted ${deadlocks} deadlocks in this test's database`);
    },
  };
}

function urlOf({ host, port, database }: ConnectionConfig, user: string): string {
  return `postgresql://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}`;
}

function originalOf(from: 'template' | 'empty' | TestDatabase): string {
  if (from === 'template') return TEMPLATE;
  return from === 'empty' ? EMPTY : from.config.database;
}

export function publishTestServer(config: ConnectionConfig): void {
  process.env[SERVER] = JSON.stringify(config);
}

function testServer(): ConnectionConfig {
  const text = process.env[SERVER];
  if (!text) throw new Error('No test PostgreSQL: run tests with "npm test", or one file with "npm test -- its/path"');
  return JSON.parse(text);
}

/** PostgreSQL counts a connection's deadlocks once the connection has closed. An open connection fails the drop instead. */
async function countDeadlocks(server: ConnectionConfig, database: string): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const [row] = await administer<{ deadlocks: bigint; connections: number }>(
      server,
      `select deadlocks, numbackends as connections from pg_stat_database where datname = '${database}'`,
    );
    if (row?.connections === 0 || attempt === CONNECTIONS_END_ATTEMPTS) return Number(row?.deadlocks ?? 0);
    await sleep(CONNECTIONS_END_RETRY_MS);
  }
}

async function administer<Row extends pg.QueryResultRow>(server: ConnectionConfig, statement: string): Promise<Row[]> {
  const client = new pg.Client(server);
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

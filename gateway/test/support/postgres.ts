/** A database of its own for each test file: a clone of the migrated template on the run's temporary PostgreSQL. */
import pg from 'pg';
import type { ConnectionConfig } from '../../src/storage/embedded/use-of-server.ts';

export const TEMPLATE = 'gateway_template';

/** How the server's address reaches the test files, each of which is a process. */
const SERVER = 'TEST_POSTGRES';

export interface TestDatabase {
  /** Of a superuser, who may also migrate. */
  readonly config: ConnectionConfig;
  /** The same as a DATABASE_URL, for a gateway in a process of its own. */
  readonly connectionString: string;
  /** As the superuser: it sees and may do more than the gateway itself. */
  readonly pool: pg.Pool;
  /** Drops the database. Fails when connections to it were left open. */
  close(): Promise<void>;
}

let clones = 0;

/** Clones the template, or makes an empty database where a test is about migrating (`empty`). Takes some 40 ms. */
export async function createTestDatabase(from: 'template' | 'empty' = 'template'): Promise<TestDatabase> {
  const server = testServer();
  const database = `test_${process.pid}_${++clones}`;
  await administer(server, `create database ${database} template ${from === 'template' ? TEMPLATE : 'template0'}`);
  const config = { ...server, database };
  const pool = new pg.Pool(config);
  return {
    config,
    connectionString: `postgresql://${config.user}@/${database}?host=${encodeURIComponent(config.host)}&port=${config.port}`,
    pool,
    async close() {
      await pool.end();
      await administer(server, `drop database ${database}`);
    },
  };
}

export function publishTestServer(config: ConnectionConfig): void {
  process.env[SERVER] = JSON.stringify(config);
}

function testServer(): ConnectionConfig {
  const text = process.env[SERVER];
  if (!text) throw new Error('No test PostgreSQL: run tests with "npm test", or one file with "npm test -- its/path"');
  return JSON.parse(text);
}

async function administer(server: ConnectionConfig, statement: string): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

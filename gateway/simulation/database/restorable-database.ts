/** The database of a run. It can return to the moment of an earlier copy. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createTestDatabase } from '../../test/support/postgres/postgres.ts';

/** A connection outside the gateway, which stays open during a restore. */
export type Admin = Pick<pg.Client, 'query'>;

/** The open statement or transaction of a connection. */
interface OpenWork {
  readonly process: string;
  readonly state: string;
  readonly waitsFor: string | null;
  readonly blockedBy: readonly number[];
  readonly query: string;
}

export interface RestorableDatabase {
  readonly connectionString: string;
  readonly admin: Admin;
  /** Copies the database. No process may be connected. */
  keep(): Promise<void>;
  /** Replaces the database with the copy. No process may be connected. */
  restore(): Promise<void>;
  close(): Promise<void>;
  /** Reads the open statements and transactions of the other connections, over a separate connection. */
  openWork(): Promise<readonly OpenWork[]>;
}

const OPEN_WORK = `
  select application_name as process, state, wait_event_type || ' ' || wait_event as "waitsFor",
    pg_blocking_pids(pid) as "blockedBy", left(query, 100) as query
  from pg_stat_activity where datname in ($1, 'postgres') and pid <> pg_backend_pid() and state <> 'idle'`;

/** PostgreSQL closes a connection some time after its client does. */
const RETRY_MS = 20;
const RETRIES = 500;
const IN_USE = '55006';

export async function createRestorableDatabase(): Promise<RestorableDatabase> {
  const database = await createTestDatabase();
  const { config, connectionString } = database;
  const name = config.database;
  const copy = `${name}_kept`;
  let isKept = false;

  async function administer(statement: string): Promise<void> {
    const server = await connect({ ...config, database: 'postgres' });
    try {
      for (let retries = 0; ; retries++) {
        const error = await server.query(statement).then(
          () => undefined,
          (failure: { readonly code?: string }) => failure,
        );
        if (!error) return;
        if (error.code !== IN_USE || retries === RETRIES) throw error;
        await sleep(RETRY_MS);
      }
    } finally {
      await server.end();
    }
  }

  await administer(letDeadlocksStand(name));
  let client = await connect(config);

  async function replace(target: string, original: string): Promise<void> {
    await client.end();
    await administer(`drop database if exists ${target}`);
    await administer(`create database ${target} template ${original} strategy file_copy`);
    await administer(letDeadlocksStand(target));
    client = await connect(config);
  }

  return {
    connectionString,
    admin: { query: ((...values: Parameters<pg.Client['query']>) => client.query(...values)) as pg.Client['query'] },
    async keep() {
      await replace(copy, name);
      isKept = true;
    },
    restore: () => replace(name, copy),
    async openWork() {
      const server = await connect({ ...config, database: 'postgres' });
      try {
        return (await server.query<OpenWork>(OPEN_WORK, [name])).rows;
      } finally {
        await server.end();
      }
    },
    async close() {
      await client.end();
      if (isKept) await administer(`drop database ${copy}`);
      await database.close();
    },
  };
}

/** Disables PostgreSQL's deadlock detection, whose timing depends on the machine. The world detects deadlocks itself. */
function letDeadlocksStand(database: string): string {
  return `alter database ${database} set deadlock_timeout = '1d'`;
}

async function connect(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config);
  await client.connect();
  // When a signal ends the test, the server may end before this process.
  client.on('error', () => {});
  return client;
}

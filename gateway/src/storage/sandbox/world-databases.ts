/**
 * One database per sandbox world, on an embedded PostgreSQL that serves worlds only. A new world is a clone of a migrated
 * template, so that it exists within a moment. Names come from a hash, because a merchant id may have any case and dots.
 */
import { createHash } from 'node:crypto';
import pg from 'pg';
import type { ConnectionConfig } from '../embedded/server-users.ts';
import { migrate } from '../migrations/migrate.ts';

export interface WorldDatabases {
  /** Creates or migrates the world's database, and returns its address. */
  open(world: string): Promise<string>;
  /** Deletes the world's data. Close its gateway first. */
  drop(world: string): Promise<void>;
}

const TEMPLATE = 'world_template';

export async function openWorldDatabases(
  server: ConnectionConfig,
  log: (line: string) => void,
): Promise<WorldDatabases> {
  if (!(await exists(server, TEMPLATE))) await administer(server, `create database ${TEMPLATE}`);
  await migrate({ ...server, database: TEMPLATE }, { log });
  return {
    async open(world) {
      const database = databaseOf(world);
      if (await exists(server, database)) await migrate({ ...server, database }, { log });
      else await administer(server, `create database ${database} template ${TEMPLATE} strategy file_copy`);
      const { user, host, port } = server;
      return `postgresql://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}`;
    },
    drop: async (world) => void (await administer(server, `drop database if exists ${databaseOf(world)} with (force)`)),
  };
}

function databaseOf(world: string): string {
  return `world_${createHash('sha256').update(world).digest('hex').slice(0, 24)}`;
}

async function exists(server: ConnectionConfig, database: string): Promise<boolean> {
  return (await administer(server, 'select 1 from pg_database where datname = $1', [database])).length > 0;
}

async function administer(server: ConnectionConfig, statement: string, values: string[] = []): Promise<unknown[]> {
  const client = new pg.Client(server);
  await client.connect();
  try {
    return (await client.query(statement, values)).rows;
  } finally {
    await client.end();
  }
}

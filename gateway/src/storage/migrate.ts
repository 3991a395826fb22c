/** Brings a database to the schema that this version needs. Forward only, one transaction, safe to run by many at once. */
import path from 'node:path';
import { runner } from 'node-pg-migrate';
import pg from 'pg';

const MIGRATIONS = path.join(import.meta.dirname, 'migrations');
const QUIET = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export interface MigrateOptions {
  /** Told the name of each migration that was applied. */
  readonly log?: (line: string) => void;
  /** Only says what would be applied. */
  readonly dryRun?: boolean;
}

/** `config` names a user that may create tables and roles. Returns the names of what was applied, in order. */
export async function migrate(config: pg.ClientConfig, options: MigrateOptions = {}): Promise<{ applied: string[] }> {
  const client = new pg.Client(config);
  await client.connect();
  try {
    const migrations = await runner({
      dbClient: client,
      dir: MIGRATIONS,
      migrationsTable: 'schema_migrations',
      direction: 'up',
      advisoryLockMode: 'wait',
      dryRun: options.dryRun ?? false,
      logger: QUIET,
    });
    const applied = migrations.map(({ name }) => name);
    for (const name of applied) options.log?.(`migrated ${name}`);
    return { applied };
  } finally {
    await client.end();
  }
}

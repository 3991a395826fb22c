/**
 * Connects to the database and checks that its schema suits this version. The embedded database is migrated automatically;
 * any other only by `gateway migrate`.
 */

import { findPrimary, splitHosts } from '../../storage/core/connection/primary-hosts.ts';
import { openDatabase, type ServerConfig } from '../../storage/core/database.ts';
import { openEmbeddedPostgres } from '../../storage/embedded/embedded-postgres.ts';
import type { EmbeddedPostgresError } from '../../storage/embedded/embedded-postgres-error.ts';
import type { ConnectionConfig } from '../../storage/embedded/server-users.ts';
import { FOREIGN_SCHEMA, migrate } from '../../storage/migrations/migrate.ts';
import { readSchemaState, type SchemaState } from '../../storage/migrations/schema-state.ts';
import type { Config } from '../config/config.ts';

/** This version cannot run on the schema, and the gateway must not migrate the database without a command. */
export class UnfitSchema extends Error {
  override readonly name = 'UnfitSchema';
}

const UNFIT_SCHEMAS: Readonly<Record<Exclude<SchemaState, 'fit'>, string>> = {
  outdated: 'The database lacks this version’s schema: run "gateway migrate"',
  too_new: 'The schema of the database is newer than this version: start a newer version',
  foreign: FOREIGN_SCHEMA,
};

export interface OpenConnection {
  readonly connection: ServerConfig;
  /** The connection to the embedded database; null for any other database. */
  readonly embedded: ConnectionConfig | null;
  /** The data folder of the embedded database; null for any other database. */
  readonly folder: string | null;
  /** Resolves when the embedded database is deleted while the gateway uses it. */
  readonly deleted: Promise<EmbeddedPostgresError>;
  close(): Promise<void>;
}

type DatabasePlace = Pick<Config, 'databaseUrl' | 'dataDir'>;
type Log = (line: string) => void;

/** Accepts any schema. Throws EmbeddedPostgresError. `log` receives a line for each slow step. */
export async function findDatabase({ databaseUrl, dataDir }: DatabasePlace, log: Log): Promise<OpenConnection> {
  const { promise: deleted, resolve: onDeleted } = Promise.withResolvers<EmbeddedPostgresError>();
  if (databaseUrl) {
    const hosts = splitHosts(databaseUrl.reveal());
    const [only = ''] = hosts;
    const connection =
      hosts.length > 1 ? { connectionString: await findPrimary(hosts), hosts } : { connectionString: only };
    return { connection, embedded: null, folder: null, deleted, close: async () => {} };
  }
  const opened = await openEmbeddedPostgres({ dataDirectory: dataDir, log, onDeleted });
  const { connectionConfig, folder, close } = opened;
  return { connection: connectionConfig, embedded: connectionConfig, folder, deleted, close };
}

/** Throws UnfitSchema, EmbeddedPostgresError or the database's own errors. `log` receives a line for each slow step. */
export async function openConnection(place: DatabasePlace, log: Log): Promise<OpenConnection> {
  const database = await findDatabase(place, log);
  try {
    if (database.embedded) await migrate(database.embedded, { log });
    await refuseUnfit(database.connection);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function refuseUnfit(connection: ServerConfig): Promise<void> {
  const asOwner = openDatabase(connection, { poolSize: 1, actAsApp: false });
  try {
    const state = await readSchemaState(asOwner);
    if (state !== 'fit') throw new UnfitSchema(UNFIT_SCHEMAS[state]);
  } finally {
    await asOwner.close();
  }
}

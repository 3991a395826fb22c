/**
 * Where the database is, and that this version can run on it. The embedded one is opened, and migrated as needed;
 * somebody else's is migrated when they say `gateway migrate`.
 */
import type pg from 'pg';
import { openDatabase } from '../../storage/core/database.ts';
import { openEmbeddedPostgres } from '../../storage/embedded/embedded-postgres.ts';
import type { EmbeddedPostgresError } from '../../storage/embedded/embedded-postgres-error.ts';
import type { ConnectionConfig } from '../../storage/embedded/use-of-server.ts';
import { FOREIGN_SCHEMA, migrate } from '../../storage/migrations/migrate.ts';
import { readSchemaState, type SchemaState } from '../../storage/migrations/schema-state.ts';
import type { Config } from '../config/config.ts';

/** This version can't run on the database as it is, which is not ours to change unasked. */
export class UnfitSchema extends Error {
  override readonly name = 'UnfitSchema';
}

const UNFIT_SCHEMAS: Readonly<Record<Exclude<SchemaState, 'fit'>, string>> = {
  outdated: 'The database lacks this version’s schema: run "gateway migrate"',
  too_new: 'The database was migrated to a schema on which this version can’t run: start a newer version',
  foreign: FOREIGN_SCHEMA,
};

export interface OpenConnection {
  readonly connection: pg.ClientConfig;
  /** The same, where it is the embedded database; null where it is somebody else's. */
  readonly embedded: ConnectionConfig | null;
  /** Where the files of the embedded database lie; null where it is somebody else's. */
  readonly folder: string | null;
  /** Resolves when the embedded database was deleted while it was in use. */
  readonly deleted: Promise<EmbeddedPostgresError>;
  close(): Promise<void>;
}

type DatabasePlace = Pick<Config, 'databaseUrl' | 'dataDir'>;
type Tell = (line: string) => void;

/** Whatever its schema is. Throws EmbeddedPostgresError. `log` is told what takes a moment. */
export async function findDatabase({ databaseUrl, dataDir }: DatabasePlace, log: Tell): Promise<OpenConnection> {
  const { promise: deleted, resolve: onDeleted } = Promise.withResolvers<EmbeddedPostgresError>();
  if (databaseUrl) {
    const connection = { connectionString: databaseUrl.reveal() };
    return { connection, embedded: null, folder: null, deleted, close: async () => {} };
  }
  const opened = await openEmbeddedPostgres({ dataDirectory: dataDir, log, onDeleted });
  const { connectionConfig, folder, close } = opened;
  return { connection: connectionConfig, embedded: connectionConfig, folder, deleted, close };
}

/** Throws UnfitSchema, EmbeddedPostgresError or the database's own errors. `log` is told what takes a moment. */
export async function openConnection(place: DatabasePlace, log: Tell): Promise<OpenConnection> {
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

async function refuseUnfit(connection: pg.ClientConfig): Promise<void> {
  const asOwner = openDatabase(connection, { poolSize: 1, actAsApp: false });
  try {
    const state = await readSchemaState(asOwner);
    if (state !== 'fit') throw new UnfitSchema(UNFIT_SCHEMAS[state]);
  } finally {
    await asOwner.close();
  }
}

/**
 * Where the database is, and that this version can run on it. The embedded one is opened, and migrated as needed;
 * somebody else's is migrated when they say `gateway migrate`.
 */
import type pg from 'pg';
import { openDatabase } from '../storage/database.ts';
import { openEmbeddedPostgres } from '../storage/embedded/embedded-postgres.ts';
import { migrate } from '../storage/migrate.ts';
import { readSchemaState, type SchemaState } from '../storage/schema-state.ts';
import type { Config } from './config.ts';

/** This version can't run on the database as it is, which is not ours to change unasked. */
export class UnfitSchema extends Error {
  override readonly name = 'UnfitSchema';
}

const UNFIT_SCHEMAS: Readonly<Record<Exclude<SchemaState, 'fit'>, string>> = {
  outdated: 'The database lacks this version’s schema: run "gateway migrate"',
  too_new: 'The database was migrated to a schema on which this version can’t run: start a newer version',
};

export interface OpenConnection {
  readonly connection: pg.ClientConfig;
  close(): Promise<void>;
}

/** Throws UnfitSchema, EmbeddedPostgresError or the database's own errors. `log` is told what takes a moment. */
export async function openConnection(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: (line: string) => void,
): Promise<OpenConnection> {
  if (databaseUrl) {
    const connection = { connectionString: databaseUrl.reveal() };
    await refuseUnfit(connection);
    return { connection, close: async () => {} };
  }
  const embedded = await openEmbeddedPostgres({ dataDirectory: dataDir, log });
  try {
    await migrate(embedded.connectionConfig, { log });
    await refuseUnfit(embedded.connectionConfig);
    return { connection: embedded.connectionConfig, close: () => embedded.close() };
  } catch (error) {
    await embedded.close();
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

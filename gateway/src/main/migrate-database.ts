/** `gateway migrate`: the schema of this version, and on a cluster the layout of its tables. */
import { CommandFailure } from '../cli/command-output.ts';
import type { MigrationReport } from '../cli/gateway-operations.ts';
import { distributeTables } from '../storage/distribute-tables.ts';
import { openEmbeddedPostgres } from '../storage/embedded/embedded-postgres.ts';
import { migrate } from '../storage/migrate.ts';
import type { Config } from './config.ts';

/** `distributed`: spread the tables over the cluster; where they are spread already, those that are new are in any case. */
export async function migrateDatabase(
  config: Config,
  distributed: boolean,
  log: (line: string) => void,
): Promise<MigrationReport> {
  if (config.databaseUrl) {
    const connection = { connectionString: config.databaseUrl.reveal() };
    const { applied } = await migrate(connection, { log });
    return { applied, ...(await distributeTables(connection, { begin: distributed, log })) };
  }
  if (distributed)
    throw new CommandFailure('The embedded database is not a cluster: set DATABASE_URL to a coordinator', 2);
  const embedded = await openEmbeddedPostgres({ dataDirectory: config.dataDir, log });
  try {
    return { applied: (await migrate(embedded.connectionConfig, { log })).applied, distributed: [] };
  } finally {
    await embedded.close();
  }
}

/** `gateway migrate`: creates the schema of this version and, on a Citus cluster, distributes its tables. */

import type { MigrationReport } from '../../cli/command-host.ts';
import { CommandFailure } from '../../cli/command-output.ts';
import { distributeTables } from '../../storage/cluster/distribute-tables.ts';
import { migrate } from '../../storage/migrations/migrate.ts';
import type { Config } from '../config/config.ts';
import { findDatabase } from './open-connection.ts';

/** If `distributed` is true, distributes the tables over the cluster. On a distributed database it always does. */
export async function migrateDatabase(
  config: Config,
  distributed: boolean,
  log: (line: string) => void,
): Promise<MigrationReport> {
  if (distributed && !config.databaseUrl)
    throw new CommandFailure('The embedded database is not a cluster: set DATABASE_URL to a coordinator', 2);
  const { connection, close } = await findDatabase(config, log);
  try {
    const { applied } = await migrate(connection, { log });
    return { applied, ...(await distributeTables(connection, { begin: distributed, log })) };
  } finally {
    await close();
  }
}

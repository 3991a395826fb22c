/**
 * Distributes the tables over a Citus cluster by the layouts in distribution.ts. It may run again: it skips distributed tables
 * and continues an interrupted run. Rows move with their tables, so no gateway may serve during the first run.
 */
import pg from 'pg';
import { invariant } from '../../foundation/invariant.ts';
import { spreadBy, TABLE_LAYOUTS, type TableLayout } from './distribution.ts';

interface DistributeOptions {
  /** Distributes a database for the first time. Without it, only tables of later migrations are distributed. */
  readonly begin: boolean;
  /** Receives the name of each table after its distribution. */
  readonly log?: (line: string) => void;
}

/** The table with which all tables led by the merchant are co-located. */
const FIRST_TABLE = 'merchants';

/** The message is one sentence for the operator. */
export class NotDistributable extends Error {
  override readonly name = 'NotDistributable';
}

/** `config` logs in as the owner of the database, on the coordinator. Returns the names of the tables distributed by this run. */
export async function distributeTables(
  config: pg.ClientConfig,
  { begin, log = () => {} }: DistributeOptions,
): Promise<{ distributed: string[] }> {
  const client = new pg.Client(config);
  client.on('error', () => {});
  await client.connect();
  try {
    const spread = await readSpreadTables(client);
    if (!begin && !spread?.size) return { distributed: [] };
    if (spread === undefined) {
      throw new NotDistributable(
        'Citus is not installed in the database: run "create extension citus" on every node, then add the workers',
      );
    }
    await refuseUnready(client);
    const missing = Object.entries(TABLE_LAYOUTS).filter(
      ([table, layout]) => layout.kind !== 'local' && !spread.has(table),
    );
    for (const [table, layout] of missing) {
      await spreadTable(client, table, layout);
      log(layout.kind === 'directory' ? `kept ${table}` : `spread ${table} by ${spreadBy(layout)}`);
    }
    await dropMovedRows(client);
    await admitToWorkers(client);
    return { distributed: missing.map(([table]) => table) };
  } finally {
    await client.end();
  }
}

/** Returns undefined if the database has no Citus extension. */
async function readSpreadTables(client: pg.Client): Promise<Set<string> | undefined> {
  const { rowCount } = await client.query("select from pg_extension where extname = 'citus'");
  if (!rowCount) return undefined;
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_dist_partition as p join pg_class as c on c.oid = p.logicalrelid
     where p.partmethod in ('h', 'n') and c.relnamespace = current_schema()::regnamespace`,
  );
  return new Set(rows.map(({ name }) => name));
}

async function refuseUnready(client: pg.Client): Promise<void> {
  const { rowCount: nodes } = await client.query('select from pg_dist_node where isactive and shouldhaveshards');
  if (!nodes)
    throw new NotDistributable('No cluster node accepts tables: run "select citus_add_node(…)" for each worker');
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')`,
  );
  const unknown = rows.map(({ name }) => name).filter((name) => !Object.hasOwn(TABLE_LAYOUTS, name));
  if (unknown.length > 0) throw new NotDistributable(`Nothing says where these tables belong: ${unknown.join(', ')}`);
}

async function spreadTable(client: pg.Client, table: string, layout: TableLayout): Promise<void> {
  if (layout.kind === 'directory') {
    await client.query('select citus_add_local_table_to_metadata($1)', [table]);
    return;
  }
  const column = spreadBy(layout);
  invariant(column, `table ${table} has no distribution column`);
  const beside = layout.kind === 'merchant' && table !== FIRST_TABLE ? FIRST_TABLE : 'none';
  await client.query('select create_distributed_table($1, $2, colocate_with => $3)', [table, column, beside]);
}

/** Drops the local copies of rows that moved to the nodes. It runs last, when no local table refers to those rows. */
async function dropMovedRows(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select logicalrelid::text as name from pg_dist_partition
     where partmethod = 'h' and pg_relation_size(logicalrelid) > 0`,
  );
  for (const { name } of rows) await client.query('select truncate_local_data_after_distributing_table($1)', [name]);
}

/**
 * Within the cluster the coordinator logs in as gateway_app, which has no login elsewhere, and without the session's limits.
 * Deadlock prevention is off because all transactions lock merchants in one order: batches without a common merchant need not
 * wait.
 */
async function admitToWorkers(client: pg.Client): Promise<void> {
  await client.query('alter role gateway_app login');
  // Citus propagates privileges on a table to the shards, but not privileges on single columns.
  await client.query('grant update on payouts to gateway_app');
  await client.query("alter role gateway_app set lock_timeout = '7s'");
  const { rows } = await client.query<{ name: string }>('select quote_ident(current_database()) as name');
  await client.query(`alter database ${rows[0]?.name} set citus.enable_deadlock_prevention = off`);
}

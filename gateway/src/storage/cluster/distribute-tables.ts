/**
 * Lays the tables out over a Citus cluster, as distribution.ts has it. Safe to run again: what is spread already stays,
 * and a run that broke off is gone on with. Rows are moved with their tables, so nothing may serve the first time.
 */
import pg from 'pg';
import { invariant } from '../../foundation/invariant.ts';
import { spreadBy, TABLE_LAYOUTS, type TableLayout } from './distribution.ts';

export interface DistributeOptions {
  /** Spreads a database that is not spread so far. Without it only what later migrations added is laid out. */
  readonly begin: boolean;
  /** Told the name of each table once it is spread. */
  readonly log?: (line: string) => void;
}

/** Beside which all tables led by the merchant lie. */
const FIRST_TABLE = 'merchants';

/** The message is one sentence for the operator. */
export class NotDistributable extends Error {
  override readonly name = 'NotDistributable';
}

/** `config` names the owner of the database, on the coordinator. Returns the names of what was spread now. */
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
        'The database has no Citus: run "create extension citus" on every node, then add the workers',
      );
    }
    await refuseUnready(client);
    const missing = Object.entries(TABLE_LAYOUTS).filter(
      ([table, layout]) => layout.kind !== 'local' && !spread.has(table),
    );
    for (const [table, layout] of missing) {
      await spreadTable(client, table, layout);
      log(`spread ${table} by ${spreadBy(layout)}`);
    }
    await dropMovedRows(client);
    await admitToWorkers(client);
    return { distributed: missing.map(([table]) => table) };
  } finally {
    await client.end();
  }
}

/** Undefined where there is no Citus. */
async function readSpreadTables(client: pg.Client): Promise<Set<string> | undefined> {
  const { rowCount } = await client.query("select from pg_extension where extname = 'citus'");
  if (!rowCount) return undefined;
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_dist_partition as p join pg_class as c on c.oid = p.logicalrelid
     where p.partmethod = 'h' and c.relnamespace = current_schema()::regnamespace`,
  );
  return new Set(rows.map(({ name }) => name));
}

async function refuseUnready(client: pg.Client): Promise<void> {
  const { rowCount: nodes } = await client.query('select from pg_dist_node where isactive and shouldhaveshards');
  if (!nodes)
    throw new NotDistributable('The cluster has no node that takes tables: "select citus_add_node(…)" for each worker');
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')`,
  );
  const unknown = rows.map(({ name }) => name).filter((name) => !Object.hasOwn(TABLE_LAYOUTS, name));
  if (unknown.length > 0) throw new NotDistributable(`Nothing says where these tables belong: ${unknown.join(', ')}`);
}

async function spreadTable(client: pg.Client, table: string, layout: TableLayout): Promise<void> {
  const column = spreadBy(layout);
  invariant(column, `${table} is not to be spread`);
  const beside = layout.kind === 'merchant' && table !== FIRST_TABLE ? FIRST_TABLE : 'none';
  await client.query('select create_distributed_table($1, $2, colocate_with => $3)', [table, column, beside]);
}

/** What was moved to the nodes is still there underneath. It goes last, when nothing local refers to it any more. */
async function dropMovedRows(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select logicalrelid::text as name from pg_dist_partition
     where partmethod = 'h' and pg_relation_size(logicalrelid) > 0`,
  );
  for (const { name } of rows) await client.query('select truncate_local_data_after_distributing_table($1)', [name]);
}

/**
 * Within the cluster the coordinator comes as gateway_app, which elsewhere nobody logs in as, and brings none of its own
 * limits. Batches that share no merchant need not wait for each other: merchants are locked in one order.
 */
async function admitToWorkers(client: pg.Client): Promise<void> {
  await client.query('alter role gateway_app login');
  await client.query("alter role gateway_app set lock_timeout = '10s'");
  const { rows } = await client.query<{ name: string }>('select quote_ident(current_database()) as name');
  await client.query(`alter database ${rows[0]?.name} set citus.enable_deadlock_prevention = off`);
}

/**
 * Migrates a database to the schema of this version while the previous version continues to serve. Migrations only go forward,
 * each is committed separately, and concurrent runs are safe. A wait for a lock on a hot table blocks all later queries on
 * it. So a migration abandons its lock after a moment and retries.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { errorCode } from '../../foundation/error-code.ts';
import { lockKey } from '../core/advisory-locks.ts';
import { type AppliedMigration, findForeign, type Migration, readMigrations } from './migration-file.ts';
import { isBookOfAnother, readBookColumns } from './schema-state.ts';
import { splitStatements } from './split-statements.ts';

interface MigrateOptions {
  /** Receives the name of each applied migration, and of the migration that waits for a lock. */
  readonly log?: (line: string) => void;
  /** A different migrations folder, with which tests imitate a later version. */
  readonly directory?: string;
  /** The maximum time to wait for the locks of one migration. Defaults to five minutes. */
  readonly patienceMs?: number;
  /** Defaults to ten seconds. */
  readonly connectTimeoutMs?: number;
}

/** The message is one sentence for the operator. */
export class MigrationBlocked extends Error {
  override readonly name = 'MigrationBlocked';
}

/** Shown for a database of a version before the first release. */
export const FOREIGN_SCHEMA =
  'The schema of the database is unknown to this version: give the gateway an empty database or a new GATEWAY_DATA_DIR';

/** A server that accepts the connection but sends nothing is treated as unreachable. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Other queries on the table wait for at most this long. */
const LOCK_TIMEOUT_MS = 500;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4_000;
const PATIENCE_MS = 300_000;
/** The wait happens outside the database: inside it would be a transaction, for which `create index concurrently` waits. */
const TURN_LOOK_MS = 100;

const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';

/** `config` logs in as a user that may create tables and roles. Returns the names of the applied migrations, in order. */
export async function migrate(config: pg.ClientConfig, options: MigrateOptions = {}): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(options.directory);
  const { connectTimeoutMs: connectionTimeoutMillis = CONNECT_TIMEOUT_MS } = options;
  const client = new pg.Client({ ...config, connectionTimeoutMillis });
  client.on('error', () => {});
  await client.connect();
  try {
    await refuseEncoding(client);
    await waitForTurn(client);
    await prepareBook(client);
    const { rows } = await client.query<AppliedMigration>('select name, sql_hash from schema_migrations order by name');
    const known = new Set(rows.map(({ name }) => name));
    refuseForeign(rows, migrations);
    const applied: string[] = [];
    for (const migration of migrations.filter(({ name }) => !known.has(name))) {
      await applyPatiently(client, migration, options);
      options.log?.(`migrated ${migration.name}`);
      applied.push(migration.name);
    }
    return { applied };
  } finally {
    await client.end();
  }
}

/** Throws MigrationBlocked before anything changes: with another encoding, the gateway could not store every name. */
async function refuseEncoding(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>('show server_encoding');
  const encoding = rows[0]?.server_encoding;
  if (encoding !== 'UTF8')
    throw new MigrationBlocked(
      `The database has the encoding ${encoding}, which cannot store all names: create it with the encoding UTF8`,
    );
}

/** Throws MigrationBlocked before anything changes. */
function refuseForeign(applied: readonly AppliedMigration[], migrations: readonly Migration[]): void {
  const foreign = findForeign(applied, migrations);
  if (foreign === undefined) return;
  const isChanged = migrations.some(({ name }) => name === foreign);
  throw new MigrationBlocked(`${FOREIGN_SCHEMA} (it has ${isChanged ? 'another' : 'the'} migration ${foreign})`);
}

/** Waits until no other process migrates. The lock ends with its connection. */
async function waitForTurn(client: pg.Client): Promise<void> {
  const question = `select pg_try_advisory_lock(${lockKey('migration', "'gateway migrate'")}) as mine`;
  while (!(await client.query<{ mine: boolean }>(question)).rows[0]?.mine) await sleep(TURN_LOOK_MS);
}

const BOOK = `
create table if not exists schema_migrations (id serial primary key, name text not null unique, run_on timestamptz not null);
alter table schema_migrations add column if not exists breaks_before text, add column if not exists sql_hash text;
comment on table schema_migrations is 'The migrations that ran on this database. migrate.ts creates the table before the first one.';
comment on column schema_migrations.breaks_before is
  'Versions of the gateway whose newest migration has a lower number cannot run on this database. Null: it breaks none.';
comment on column schema_migrations.sql_hash is 'SHA-256 of the statements that ran.'`;

/**
 * Creates the table of applied migrations. The check avoids a lock on the table at each run. Other programs keep a table of the
 * same name, which must not be changed.
 */
async function prepareBook(client: pg.Client): Promise<void> {
  const columns = await readBookColumns(async (text) => (await client.query<{ name: string }>(text)).rows);
  if (isBookOfAnother(columns))
    throw new MigrationBlocked(`${FOREIGN_SCHEMA} (its table schema_migrations belongs to another program)`);
  if (!['breaks_before', 'sql_hash'].every((name) => columns.includes(name))) await client.query(BOOK);
}

async function applyPatiently(client: pg.Client, migration: Migration, options: MigrateOptions): Promise<void> {
  const { patienceMs = PATIENCE_MS, log } = options;
  let waitedMs = 0;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await (migration.isTransactional ? applyWhole(client, migration) : applyAlone(client, migration));
    } catch (error) {
      if (![LOCK_NOT_AVAILABLE, DEADLOCK].includes(errorCode(error) ?? '')) throw error;
      if (waitedMs >= patienceMs) throw blocked(migration, error);
    }
    log?.(`${migration.name} waits for a table that is in use`);
    await sleep(pauseMs);
    waitedMs += pauseMs + LOCK_TIMEOUT_MS;
  }
}

function blocked({ name }: Migration, cause: unknown): MigrationBlocked {
  const message = `${name} did not obtain its locks: end the long transaction in pg_stat_activity, and run it again`;
  return new MigrationBlocked(message, { cause });
}

async function applyWhole(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    for (const statement of splitStatements(migration.sql)) await client.query(statement);
    await writeDown(client, migration);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** A crash may lose the record of an applied migration, and the next run repeats it. So it needs `if not exists`. */
async function applyAlone(client: pg.Client, migration: Migration): Promise<void> {
  await dropUnfinishedIndex(client, migration.sql);
  await client.query(migration.sql);
  await writeDown(client, migration);
}

const INDEX_NAME = /\bcreate (?:unique )?index concurrently (?:if not exists )?(\w+)/i;

/** Drops the remains of an interrupted index build. They serve no query, and `if not exists` would accept them. */
async function dropUnfinishedIndex(client: pg.Client, sql: string): Promise<void> {
  const name = INDEX_NAME.exec(sql)?.[1];
  if (name === undefined) return;
  const { rowCount } = await client.query(
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [name],
  );
  if (rowCount) await client.query(`drop index concurrently ${name}`);
}

async function writeDown(client: pg.Client, { name, breaksBefore, hash }: Migration): Promise<void> {
  await client.query(
    'insert into schema_migrations (name, run_on, breaks_before, sql_hash) values ($1, clock_timestamp(), $2, $3)',
    [name, breaksBefore, hash],
  );
}

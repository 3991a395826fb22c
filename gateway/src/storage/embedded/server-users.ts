/**
 * Counts the users of the server. Each process holds one connection with a shared advisory lock, which PostgreSQL releases
 * however the process ends. A process that can lock exclusively is the last user and may stop the server.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { errorCode } from '../../foundation/error-code.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { isAlive } from './living-process.ts';
import { SUPERUSER } from './server-process.ts';

export const DATABASE = 'gateway';

const USE_LOCK = 7_148_302;

/** The name of each user's connection, before the id of its process. */
const USER_NAME = 'embedded-postgres-user ';
const GHOST_RETRY_MS = 50;
const GHOST_ATTEMPTS = 400;

export interface ConnectionConfig {
  /** The folder that contains the socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly ssl: false;
}

export function connectionConfigFor(socketFolder: string, database: string): ConnectionConfig {
  return { host: socketFolder, port: 5432, user: SUPERUSER, database, ssl: false };
}

/** The result of an attempt to join: the connection, no server, or a server that is starting or stopping. */
export type Joined = pg.Client | 'absent' | 'not-ready';

const NOT_THERE: Readonly<Record<string, Exclude<Joined, pg.Client>>> = {
  ENOENT: 'absent',
  ECONNREFUSED: 'absent',
  ECONNRESET: 'not-ready',
  EPIPE: 'not-ready',
  '57P01': 'not-ready',
  '57P02': 'not-ready',
  '57P03': 'not-ready',
  '53300': 'not-ready',
};

/** Joins the users of the server, so that no other process stops it. Calls `onLost` when the connection breaks later. */
export async function joinServer(socketFolder: string, onLost: () => void): Promise<Joined> {
  const client = new pg.Client({
    ...connectionConfigFor(socketFolder, 'postgres'),
    application_name: `${USER_NAME}${process.pid}`,
  });
  let joined = false;
  client.on('error', () => {});
  client.on('end', () => joined && onLost());
  try {
    await client.connect();
    await client.query('select pg_advisory_lock_shared($1)', [USE_LOCK]);
    await createDatabaseIfMissing(client);
    joined = true;
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    return NOT_THERE[errorCode(error) ?? lostMidway(error)] ?? Promise.reject(explain(error, socketFolder));
  }
}

/**
 * Leaves the users of the server. True when no user is left and none can join before `client` ends. The connection of a killed
 * process holds its lock until PostgreSQL notices, so only living processes are treated as users.
 */
export async function leaveServer(client: pg.Client): Promise<boolean> {
  await client.query('select pg_advisory_unlock_shared($1)', [USE_LOCK]);
  for (let attempt = 0; attempt < GHOST_ATTEMPTS; attempt++) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as alone', [USE_LOCK]);
    if (rows[0].alone) return true;
    if (await isUsedByTheLiving(client)) return false;
    await sleep(GHOST_RETRY_MS);
  }
  return false;
}

async function isUsedByTheLiving(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ name: string }>(
    `select a.application_name as name from pg_locks as l join pg_stat_activity as a using (pid)
     where l.locktype = 'advisory' and l.classid = 0 and l.objid = $1 and l.objsubid = 1 and l.pid <> pg_backend_pid()`,
    [USE_LOCK],
  );
  const living = await Promise.all(rows.map(({ name }) => isUserAlive(name)));
  return living.includes(true);
}

/** The name may be of an earlier release, so its process cannot be checked and is treated as alive. */
async function isUserAlive(name: string): Promise<boolean> {
  return name.startsWith(USER_NAME) ? isAlive(Number(name.slice(USER_NAME.length))) : true;
}

async function createDatabaseIfMissing(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
  if (rowCount) return;
  await client.query(`create database ${DATABASE}`).catch((error) => {
    // A concurrent process created the database: 42P04 if its transaction has committed, otherwise 23505.
    if (!['42P04', '23505'].includes(errorCode(error) ?? '')) throw error;
  });
}

/** The driver's error for a connection that closed during a query has no code. */
function lostMidway(error: unknown): string {
  return error instanceof Error && /Connection terminated/.test(error.message) ? 'ECONNRESET' : '';
}

function explain(error: unknown, socketFolder: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The database in ${socketFolder} refuses this process (${error instanceof Error ? error.message : error})`,
    'Start the gateway as the user who created the database, or set GATEWAY_DATA_DIR to another directory',
  );
}

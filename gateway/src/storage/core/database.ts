/**
 * The only access to PostgreSQL: a pool whose connections act as `gateway_app` (the least privilege that the gateway needs),
 * typed rows and transactions. Times are read as milliseconds UTC, bigint as bigint, and numeric as text.
 */
import pg from 'pg';
import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import { errorCode } from '../../foundation/error-code.ts';
import { isConnectionFailure, isTransient } from './database-errors.ts';
import { clientOfPrimary } from './primary-hosts.ts';

export interface Queryable {
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Like `query`, but planned once per connection under `name`. Use it for statements on hot paths. */
  prepared<Row = Record<string, unknown>>(name: string, text: string, values: readonly unknown[]): Promise<Row[]>;
}

export interface Database extends Queryable {
  /** Runs `work` in one READ COMMITTED transaction on one connection; rolls back when it throws. */
  transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>;
  /** Like `transaction`, without a time limit. Use it for background work whose duration depends on the data. */
  longTransaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>;
  /** Reads in one snapshot without a time limit. The transaction is read-only. */
  snapshot<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>;
  /** Takes a connection out of the pool until its release. Use it for session advisory locks. */
  connect(): Promise<{ readonly connection: Queryable; release(): void }>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly poolSize: number;
  /** False for work that owns the schema: migrations. */
  readonly actAsApp?: boolean;
  /** Settings that replace those with which a connection starts. */
  readonly session?: Readonly<Record<string, string>>;
  /** After this time the pool abandons the query and closes its connection. The outcome is then unknown. Default: no limit. */
  readonly queryTimeoutMs?: number;
  /** Receives the error of an idle connection that broke. The pool replaces that connection. */
  readonly onConnectionLost?: (error: Error) => void;
}

const LONGEST_TRANSACTION_MS = 1 * DAY_MS;

const { builtins } = pg.types;
const types = new pg.TypeOverrides();
types.setTypeParser(builtins.INT8, (text) => BigInt(text));
types.setTypeParser(builtins.TIMESTAMPTZ, (text) =>
  text.endsWith('infinity')
    ? Number(text.replace('infinity', 'Infinity'))
    : Date.parse(`${text.slice(0, -3).replace(' ', 'T')}Z`),
);

/** No statement outside of a snapshot runs longer. */
export const STATEMENT_LIMIT_MS = MINUTE_MS;

/** The settings with which each connection starts. */
const SESSION = {
  timezone: 'UTC',
  // The types of this file parse these forms. A database or a role may have other defaults.
  datestyle: 'ISO',
  bytea_output: 'hex',
  // A commit reads balances after it waited for the lock of their merchant.
  default_transaction_isolation: 'read\\ committed',
  statement_timeout: `${STATEMENT_LIMIT_MS}ms`,
  // Longer than a suspended process can hold a lock, and shorter than a process waits for a query: PostgreSQL ends the wait,
  // and its error says that it was for a lock.
  lock_timeout: '7s',
  // A suspended process that is inside a transaction holds locks on its merchants, so limit that time.
  idle_in_transaction_session_timeout: '5s',
  // A prepared plan may date from when its tables were small. It must use an index when they have grown.
  enable_seqscan: 'off',
};

function sessionOptions(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

/** `hosts`: the URLs of all servers, one of which is the primary. Without it, `config` contains the only server. */
export type ServerConfig = pg.ClientConfig & { readonly hosts?: readonly string[] };

export function openDatabase({ hosts = [], ...config }: ServerConfig, options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    ...config,
    ...(hosts.length > 1 ? { Client: clientOfPrimary(hosts) } : {}),
    types,
    max: options.poolSize,
    connectionTimeoutMillis: 10_000,
    ...(options.queryTimeoutMs === undefined ? {} : { query_timeout: options.queryTimeoutMs }),
    keepAlive: true,
    options: sessionOptions({
      ...SESSION,
      ...(options.actAsApp === false ? {} : { role: 'gateway_app' }),
      ...options.session,
    }),
  });
  pool.on('error', (error) => options.onConnectionLost?.(error));
  // The pool handles errors of idle clients only. Between two statements, or before the caller has its client, an error event
  // without a listener would end the process. The pool itself removes such a client.
  pool.on('connect', (client) => client.on('error', () => {}));
  const connect = () => connectToAny(pool, Math.max(1, hosts.length));
  const textFor = createTextChoice();
  const readOnly = 'begin isolation level repeatable read read only';
  return {
    ...queryable((query) => onConnection(connect, (client) => client.query(query)), textFor),
    transaction: (work) => inTransaction(connect, 'begin', (client) => work(queryableOver(client, textFor))),
    longTransaction: (work) => inTransaction(connect, 'begin', withoutLimit(work, textFor)),
    snapshot: (work) => inTransaction(connect, readOnly, withoutLimit(work, textFor)),
    async connect() {
      const client = await connect();
      client.on('error', (error) => options.onConnectionLost?.(error));
      return { connection: queryableOver(client, textFor), release: () => client.release(true) };
    },
    close: () => pool.end(),
  };
}

type Connect = () => Promise<pg.PoolClient>;

/** After a failure, even of a certificate, the next attempt goes to the next host. */
async function connectToAny(pool: pg.Pool, hosts: number): Promise<pg.PoolClient> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await pool.connect();
    } catch (error) {
      if (attempt >= hosts) throw error;
    }
  }
}

/** A connection stays usable after the database rejects a statement. The pool of pg would close it. */
async function onConnection<Result>(
  connect: Connect,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await connect();
  let broken: Error | undefined;
  try {
    return await work(client);
  } catch (error) {
    if (isConnectionFailure(error)) broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}

async function inTransaction<Result>(
  connect: Connect,
  begin: string,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await connect();
  let broken: Error | undefined;
  try {
    await client.query(begin);
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    if (isConnectionFailure(error)) broken = error as Error;
    else
      await client.query('rollback').catch((failure: Error) => {
        broken = failure;
      });
    throw error;
  } finally {
    client.release(broken);
  }
}

function withoutLimit<Result>(work: (transaction: Queryable) => Promise<Result>, textFor: TextChoice) {
  return async (client: pg.PoolClient): Promise<Result> => {
    await client.query('set local statement_timeout = 0');
    return work(queryableOver(client, textFor, LONGEST_TRANSACTION_MS));
  };
}

/** `timeoutMs` replaces the query limit of the pool. */
function queryableOver(client: pg.PoolClient, textFor: TextChoice, timeoutMs?: number): Queryable {
  const limit = timeoutMs === undefined ? {} : { query_timeout: timeoutMs };
  return queryable((query) => client.query({ ...query, ...limit }), textFor);
}

function queryable(send: (query: pg.QueryConfig) => Promise<pg.QueryResult>, textFor: TextChoice): Queryable {
  const run = async <Row>(query: pg.QueryConfig) => (await send(query)).rows as Row[];
  const query: Queryable['query'] = (text, values = []) => run({ text, values: values as unknown[] });
  return {
    query,
    prepared: async (name, text, values) =>
      run({ name, text: await textFor(text, { query }), values: values as unknown[] }),
  };
}

/**
 * Marks a condition that only a cluster needs: it asks just the servers of merchants that $1 names. On one server it changes no result,
 * but each look-up by a key would sort the array again, and it misleads the planner while a table is young. So it is left out there.
 */
export const FOR_CLUSTER = '/* for a cluster */';
const CONDITION = /[\w.]+ = any\(\$1::text\[\]\) \/\* for a cluster \*\//g;
/** It names the type of $1, which may occur nowhere else. */
export const onOneServer = (text: string) => text.replaceAll(CONDITION, '$1::text[] is not null');
export const IS_CLUSTER = `select to_regclass('pg_dist_partition') is not null as is`;

type TextChoice = (text: string, connection: Pick<Queryable, 'query'>) => Promise<string>;

/** Asks once whether the database is a cluster, on the connection of the statement. */
function createTextChoice(): TextChoice {
  let isCluster: boolean | undefined;
  return async (text, connection) => {
    if (!text.includes(FOR_CLUSTER)) return text;
    isCluster ??= (await connection.query<{ is: boolean }>(IS_CLUSTER))[0]?.is === true;
    return isCluster ? text : onOneServer(text);
  };
}

let lastInstant = Number.POSITIVE_INFINITY;
let lastTimestamp = 'infinity';

/** A time (ms UTC) as a timestamptz parameter. Rows written together mostly share one time, so the last text is kept. */
export function timestamp(instant: number): string {
  if (instant === lastInstant) return lastTimestamp;
  lastTimestamp = Number.isFinite(instant) ? new Date(instant).toISOString() : String(instant).toLowerCase();
  lastInstant = instant;
  return lastTimestamp;
}

/** The same for a time that may be null. */
export function timestampOrNull(instant: number | null): string | null {
  return instant === null ? null : timestamp(instant);
}

/** Bytes in the text form of bytea, for rows that travel as JSON. */
export function byteaText(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`;
}

/*
 * Arrays, for statements that read a batch of rows by `unnest`. Each request writes the elements of its own row, and the batch
 * joins them. PostgreSQL reads arrays at a lower cost than JSON.
 */

const ESCAPED = /["\\]/g;

/** One element. Null stays SQL's null. */
export function arrayElement(value: string | bigint | number | null | undefined): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value !== 'string') return value.toString();
  // Most texts need no escape, and a search costs less than a replacement.
  const needsNone = !value.includes('"') && !value.includes('\\');
  return needsNone ? `"${value}"` : `"${value.replaceAll(ESCAPED, '\\$&')}"`;
}

/** One element of type bytea. */
export function byteaElement(bytes: Buffer | undefined): string {
  return bytes ? `"\\\\x${bytes.toString('hex')}"` : 'NULL';
}

/** One parameter per column, from rows of elements. */
export function arraysOf(rows: readonly (readonly string[])[], columns: number): string[] {
  const arrays: string[] = [];
  for (let column = 0; column < columns; column++) {
    let text = '';
    for (const row of rows) text += text === '' ? row[column] : `,${row[column]}`;
    arrays.push(`{${text}}`);
  }
  return arrays;
}

/** The same for rows as objects. A value that is not a text, number or boolean becomes JSON. */
export function columnArrays<Column extends string>(
  rows: readonly Readonly<Partial<Record<Column, unknown>>>[],
  columns: Readonly<Record<Column, string>>,
): string[] {
  const names = Object.keys(columns) as Column[];
  return arraysOf(
    rows.map((row) => names.map((name) => elementOf(row[name]))),
    names.length,
  );
}

function elementOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 't' : 'f';
  if (typeof value === 'object' && value !== null) return arrayElement(JSON.stringify(value));
  return arrayElement(value as Parameters<typeof arrayElement>[0]);
}

/** Columns with their types, as a JSON parameter is read by them. */
export function columnList(columns: Readonly<Record<string, string>>): string {
  return Object.entries(columns)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ');
}

/** For a condition with `in`. The states are the domain's, so no quote is in them. */
export const stateList = (states: readonly string[]) => `'${states.join(`', '`)}'`;

/** The columns of `unnest` with their types, as parameters from `first` on. */
export function unnestFrom(first: number, columns: Readonly<Record<string, string>>): string {
  const parameters = Object.values(columns).map((type, at) => `$${first + at}::${type}[]`);
  return `unnest(${parameters.join(', ')}) as r(${Object.keys(columns).join(', ')})`;
}

/** With a last attempt that ends at the query limit, an answer still comes before a client's usual timeout. */
const PATIENCE_MS = 8 * SECOND_MS;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 200;

/**
 * Repeats work that a lost connection interrupted, for a bounded time, so that a short failover is a slow answer and
 * not a failed request (docs/operations/high-availability.md). Group commit repeats its batches itself.
 *
 * Runs `work` until it succeeds, fails for another reason, or patience ends; then rejects with the last error. An
 * earlier run may have committed, so a repetition must find its effects by its own key.
 */
export async function persist<Result>(
  clock: Clock,
  work: () => Promise<Result>,
  mayRepeat: (error: unknown) => boolean = isTransient,
): Promise<Result> {
  const endsAt = clock.now() + PATIENCE_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; ) {
    try {
      return await work();
    } catch (error) {
      if (!mayRepeat(error) || clock.now() + pauseMs >= endsAt) throw error;
    }
    await clock.sleep(pauseMs);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

/** The same database, with every single statement that only reads repeated after a lost connection. */
export function withPatientReads(database: Database, clock: Clock): Database {
  const reading = <Result>(text: string, work: () => Promise<Result>) =>
    persist(clock, work, (error) => isOwnConnectionLost(error) && onlyReads(text));
  return {
    ...database,
    query: (text, values) => reading(text, () => database.query(text, values)),
    prepared: (name, text, values) => reading(text, () => database.prepared(name, text, values)),
  };
}

/** A coordinator reports a lost connection to a worker with a code of the same class. A repetition would only wait for that worker. */
function isOwnConnectionLost(error: unknown): boolean {
  const isOfCoordinator = errorCode(error)?.startsWith('08') && (error as { severity?: string }).severity === 'ERROR';
  return (isConnectionFailure(error) && !isOfCoordinator) || errorCode(error) === '53300';
}

/** A caller that reads the server's clock measures the round trip, so its statement is not repeated either. */
function onlyReads(text: string): boolean {
  return /^\s*(?:select|with)\b/i.test(text) && !/\b(?:insert|update|delete|merge|clock_timestamp)\b/i.test(text);
}

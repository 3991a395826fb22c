/**
 * The only access to PostgreSQL: a pool whose connections act as `gateway_app` (the least privilege that the gateway needs),
 * typed rows and transactions. Times are read as milliseconds UTC, bigint as bigint, and numeric as text.
 */
import pg from 'pg';
import { DAY_MS, MINUTE_MS } from '../../foundation/clock.ts';
import { runSteps, type Send } from './cluster-steps.ts';
import { createTextChoice, STEP_BY_STEP, type TextChoice } from './cluster-text.ts';
import { clientOfPrimary } from './connection/primary-hosts.ts';
import { isConnectionFailure } from './database-errors.ts';

export interface Queryable {
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Like `query`, but planned once per connection under `name`. Use it for statements on hot paths. */
  prepared<Row = Record<string, unknown>>(name: string, text: string, values: readonly unknown[]): Promise<Row[]>;
}

export interface Database extends Queryable {
  /** Runs `work` in one READ COMMITTED transaction on one connection; rolls back when it throws. */
  transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>;
  /** Works like `transaction`, but without a time limit. Use it for background work whose duration depends on the data. */
  longTransaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>;
  /** Reads in one snapshot without a time limit. The transaction is read-only. */
  snapshot<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>;
  /** Takes a connection out of the pool until its release. Use it for session advisory locks. */
  connect(): Promise<{ readonly connection: Queryable; release(): void }>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly poolSize: number;
  /** False only for work that owns the schema, which means migrations. */
  readonly actAsApp?: boolean;
  /** Settings that replace those with which a connection starts. */
  readonly session?: Readonly<Record<string, string>>;
  /**
   * After this time the pool abandons the query and closes its connection. The outcome is then unknown. Defaults to no limit.
   */
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

/** No statement outside a snapshot runs for longer. */
export const STATEMENT_LIMIT_MS = MINUTE_MS;

/** The settings with which each connection starts. */
const SESSION = {
  timezone: 'UTC',
  // The parsers below expect these formats. A database or a role may have other defaults.
  datestyle: 'ISO',
  bytea_output: 'hex',
  // A commit reads balances after it has waited for the lock of their merchant.
  default_transaction_isolation: 'read committed',
  statement_timeout: `${STATEMENT_LIMIT_MS}ms`,
  // Longer than a suspended process can hold a lock, and shorter than a process waits for a query. So PostgreSQL ends the
  // wait, with an error that names the lock.
  lock_timeout: '7s',
  // A process that is suspended inside a transaction holds locks on its merchants. This limits that time.
  idle_in_transaction_session_timeout: '5s',
  // A prepared plan may date from a time when its tables were small. It must still use an index once they have grown.
  enable_seqscan: 'off',
};

function sessionOptions(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replace(' ', '\\ ')}`)
    .join(' ');
}

/** With other values of these, the gateway would read wrong times and balances. */
const ESSENTIAL = ['timezone', 'datestyle', 'bytea_output', 'default_transaction_isolation'] as const;

/**
 * Rejects a session with other settings. A proxy may drop the session's options, as PgBouncer does with
 * `ignore_startup_parameters = options`.
 */
async function refuseOtherSettings(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<Record<string, string>>(
    `select ${ESSENTIAL.map((name) => `current_setting('${name}') as ${name}`).join(', ')}`,
  );
  // The date style has a second part, which affects only input.
  const wrong = ESSENTIAL.find((name) => rows[0]?.[name]?.split(',')[0] !== SESSION[name]);
  if (wrong !== undefined)
    throw new Error(
      `The session has ${wrong} = ${rows[0]?.[wrong]}, but the gateway needs ${SESSION[wrong]}. DATABASE_URL or a proxy, such as PgBouncer, drops our startup options. Set it for the login: alter role … set ${wrong} = '${SESSION[wrong]}'`,
    );
}

/** `hosts` has the URLs of all servers, one of which is the primary. Without it, `config` describes the only server. */
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
    verify: (client, done) => void refuseOtherSettings(client).then(() => done(), done),
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
    ...queryable(
      (query) => onConnection(connect, (client) => client.query(query)),
      textFor,
      (query) => inTransaction(connect, 'begin', (client) => runSteps(query, (step) => client.query(step))),
    ),
    transaction: (work) => inTransaction(connect, 'begin', (client) => work(queryableOver(client, textFor))),
    longTransaction: (work) => inTransaction(connect, 'begin', withoutLimit(work, textFor)),
    snapshot: (work) => inTransaction(connect, readOnly, withoutLimit(work, textFor)),
    async connect() {
      const client = await connect();
      client.on('error', (error) => options.onConnectionLost?.(error));
      return {
        connection: queryable((query) => client.query(query), textFor, refuseSteps),
        release: () => client.release(true),
      };
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

/** The connection stays usable after the database rejects a statement, although pg's pool would close it. */
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

/** On a connection without a transaction, each step would commit alone. */
const refuseSteps: Send = ({ text }) => Promise.reject(new Error(`needs a transaction on a cluster: ${text}`));

/** `inSteps` runs a text for a cluster, in one transaction. */
function queryable(send: Send, textFor: TextChoice, inSteps: Send = (query) => runSteps(query, send)): Queryable {
  async function run<Row>({ text, ...rest }: pg.QueryConfig): Promise<Row[]> {
    const chosen = { ...rest, text: await textFor(text, { query }) };
    return (await (chosen.text.startsWith(STEP_BY_STEP) ? inSteps : send)(chosen)).rows as Row[];
  }
  const query: Queryable['query'] = (text, values = []) => run({ text, values: values as unknown[] });
  return { query, prepared: (name, text, values) => run({ name, text, values: values as unknown[] }) };
}

/** A local Citus cluster: a coordinator and two workers of a PostgreSQL with the extension. */
import { execFile } from 'node:child_process';
import { appendFile, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { makeHome, prepareDataDirectory } from '../../src/storage/embedded/server-home.ts';
import { freePort } from '../support/gateway/running-gateway.ts';
import type { TestDatabase } from '../support/postgres/postgres.ts';

const run = promisify(execFile);
const OWNER = 'gateway';
const HOST = '127.0.0.1';

export interface CitusServers {
  /** A connection to the coordinator as the owner. */
  readonly database: TestDatabase;
  readonly version: string;
  /** By the place of each worker. */
  readonly workerPorts: readonly number[];
  /** An empty database on the coordinator that is not distributed. */
  singleDatabase(): Promise<TestDatabase>;
  /** Kills a worker without a shutdown. */
  stopWorker(place: number): Promise<void>;
  startWorker(place: number): Promise<void>;
  close(): Promise<void>;
}

/** `programs` is the folder with initdb and pg_ctl, such as /usr/lib/postgresql/15/bin. */
export async function startCitus(programs: string): Promise<CitusServers> {
  const dataDirectory = await prepareDataDirectory(await mkdtemp(join(tmpdir(), 'gateway-citus-')));
  const { folder, account } = await makeHome(dataDirectory);
  const ports = [await freePort(), await freePort(), await freePort()] as const;
  const options = { cwd: folder, env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' }, ...account };
  const control = (port: number, verb: string, ...more: readonly string[]) =>
    run(join(programs, 'pg_ctl'), [verb, '-D', `c${port}`, '-w', '-s', ...more], options);
  const start = (port: number) => control(port, 'start', '-l', `${port}.log`);
  const at = (port: number, database: string, user = OWNER) => ({ host: HOST, port, database, user });
  const [coordinator, ...workers] = ports;
  async function setUp(): Promise<void> {
    for (const port of ports) {
      await run(
        join(programs, 'initdb'),
        ['-D', `c${port}`, '-A', 'trust', '-E', 'UTF8', '--no-sync', '-U', 'postgres'],
        options,
      );
      await appendFile(join(folder, `c${port}/postgresql.conf`), settingsOf(port));
      if (account) await chown(join(folder, `c${port}/postgresql.conf`), account.uid, account.gid);
      await start(port);
      await runAll(at(port, 'postgres', 'postgres'), [
        `create role ${OWNER} superuser login`,
        `create database gateway owner ${OWNER}`,
      ]);
      await runAll(at(port, 'gateway'), ['create extension citus']);
    }
    await runAll(at(coordinator, 'gateway'), [
      `select citus_set_coordinator_host('${HOST}', ${coordinator})`,
      ...workers.map((port) => `select citus_add_node('${HOST}', ${port})`),
    ]);
  }
  const pools: pg.Pool[] = [];
  const close = async () => {
    for (const pool of pools) await pool.end();
    for (const port of ports) await control(port, 'stop', '-m', 'immediate').catch(() => {});
    for (const each of [folder, dataDirectory]) await rm(each, { recursive: true, force: true });
  };
  try {
    await setUp();
  } catch (error) {
    await close();
    throw error;
  }
  const databaseNamed = (name: string): TestDatabase => {
    const config = { ...at(coordinator, name), ssl: false as const };
    const url = `postgresql://${OWNER}@${HOST}:${coordinator}/${name}`;
    const pool = new pg.Pool(config);
    pool.on('error', () => {});
    pools.push(pool);
    return { config, connectionString: url, ownerConnectionString: url, pool, close: async () => {} };
  };
  const database = databaseNamed('gateway');
  const { rows } = await database.pool.query<{ version: string }>('select citus_version() as version');
  return {
    database,
    async singleDatabase() {
      await database.pool.query('create database single');
      return databaseNamed('single');
    },
    workerPorts: workers,
    version: rows[0]?.version.split(' on ')[0] ?? '',
    stopWorker: async (place) => void (await control(workers[place] ?? 0, 'stop', '-m', 'immediate')),
    startWorker: async (place) => void (await start(workers[place] ?? 0)),
    close,
  };
}

/** Citus keeps broken connections to a lost worker in sessions from before the loss. */
export async function inNewSession<Result>(
  { database }: CitusServers,
  work: (session: pg.Client) => Promise<Result>,
): Promise<Result> {
  const session = new pg.Client({ connectionString: database.ownerConnectionString });
  await session.connect();
  try {
    return await work(session);
  } finally {
    await session.end();
  }
}

function settingsOf(port: number): string {
  const settings = {
    port,
    listen_addresses: `'${HOST}'`,
    unix_socket_directories: `'..'`,
    timezone: `'UTC'`,
    fsync: 'off',
    shared_preload_libraries: `'citus'`,
    max_connections: 200,
    max_prepared_transactions: 300,
    shared_buffers: `'64MB'`,
    wal_level: 'logical',
    'citus.shard_count': 4,
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name} = ${value}\n`)
    .join('');
}

async function runAll(config: pg.ClientConfig, statements: readonly string[]): Promise<void> {
  const client = new pg.Client(config);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

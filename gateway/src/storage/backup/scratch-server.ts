/**
 * Starts a restored data directory as a scratch server that no other user can reach: on a socket in a private folder, without
 * a network address, and without archiving its own log.
 */
import { execFile } from 'node:child_process';
import { access, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import type { Clock } from '../../foundation/clock.ts';
import { errorCode } from '../../foundation/error-code.ts';
import { BackupError } from './backup-error.ts';

const run = promisify(execFile);

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** The private folder of the server's socket and log, and its data directory in it. */
export interface ScratchFolder {
  readonly folder: string;
  /** The name of the data directory. */
  readonly data: string;
}

interface ScratchServer {
  readonly connection: pg.ClientConfig;
  stop(): Promise<void>;
}

const LOG = 'replay.log';
/** Replaying a long WAL takes hours. */
const STARTS_WITHIN_S = 86_400;
const PORT = 5432;
const REPLAYING = '57P03';
const LOOK_EVERY_MS = 50;

/** These options override the configuration of the backed-up server. */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: "''",
  unix_socket_directories: '..',
  unix_socket_permissions: '0700',
  port: String(PORT),
  ssl: 'off',
  archive_mode: 'off',
  hot_standby: 'off',
  synchronous_standby_names: "''",
  shared_preload_libraries: "''",
  shared_buffers: '128MB',
  max_connections: '20',
  max_prepared_transactions: '300',
  logging_collector: 'off',
  log_destination: 'stderr',
};

/** `parent` is a folder that the account can access and that has space for the complete database. */
export async function makeScratchFolder(parent: string, account: Account | undefined): Promise<ScratchFolder> {
  const folder = await mkdtemp(join(parent, 'gateway-proof-'));
  const data = 'data';
  await mkdir(join(folder, data), { mode: 0o700 });
  for (const path of account ? [folder, join(folder, data)] : [])
    await chown(path, account?.uid ?? 0, account?.gid ?? 0);
  return { folder, data };
}

interface ScratchOrder extends ScratchFolder {
  /** The folder with `pg_ctl` and `postgres` of the backup's version. */
  readonly programs: string;
  /** Runs the server, if it is not the user of this process. */
  readonly account: Account | undefined;
  /** The login of a user for a database of the backup. */
  readonly login: pg.ClientConfig;
}

/** Resolves once the log is replayed and the server accepts connections. Throws BackupError. */
export async function startScratchServer(order: ScratchOrder, clock: Clock): Promise<ScratchServer> {
  const { folder, data, programs, account, login } = order;
  const connection = { ...login, host: folder, port: PORT, ssl: false };
  await writeFile(join(folder, 'scratch.conf'), '');
  await writeFile(join(folder, 'scratch_hba.conf'), 'local all all trust\n');
  const control = (...args: string[]) =>
    run(join(programs, 'pg_ctl'), args, {
      cwd: folder,
      env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
      ...account,
    });
  const files = { config_file: `'${folder}/scratch.conf'`, hba_file: `'${folder}/scratch_hba.conf'` };
  const options = Object.entries({ ...SETTINGS, ...files }).map(([name, value]) => `-c ${name}=${value}`);
  try {
    const begin = ['start', '-D', data, '-l', LOG, '-w', '-t', String(STARTS_WITHIN_S), '-s', '-o', options.join(' ')];
    await control(...begin);
    await untilReplayed(connection, clock);
  } catch (error) {
    await control('stop', '-D', data, '-m', 'immediate', '-s').catch(() => {});
    const log = await readFile(join(folder, LOG), 'utf8').catch(() => '');
    const said = `${log}${(error as { stderr?: string }).stderr ?? ''}`.trim().split('\n');
    const reason = /FATAL: +(?!the database system)(.*)/.exec(log)?.[1] ?? said.at(-1);
    throw new BackupError(`The restored server does not start (${reason})`, 'Check the WAL archive');
  }
  return {
    connection,
    stop: async () => {
      await control('stop', '-D', data, '-m', 'fast', '-w', '-s');
      for (const name of ['scratch.conf', 'scratch_hba.conf', LOG]) await rm(join(folder, name), { force: true });
    },
  };
}

/** The server rejects connections while it replays the log. Rejects when the server ended. */
async function untilReplayed(connection: pg.ClientConfig, clock: Clock): Promise<void> {
  for (;;) {
    const client = new pg.Client(connection);
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (errorCode(error) !== REPLAYING) throw error;
      await clock.sleep(LOOK_EVERY_MS);
    }
  }
}

/** Returns the time of the newest transaction that the server replayed, or undefined if the log contained none. */
export async function readRecoveredUntil(connection: pg.ClientConfig): Promise<number | undefined> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rows } = await client.query<{ at: Date | null }>('select pg_last_xact_replay_timestamp() as at');
    return rows[0]?.at?.getTime();
  } finally {
    await client.end();
  }
}

/** Searches the default places for the folder of PostgreSQL's programs of that major version. */
export async function findPrograms(version: number): Promise<string | undefined> {
  const places = [
    `/usr/lib/postgresql/${version}/bin`,
    `/usr/pgsql-${version}/bin`,
    `/opt/homebrew/opt/postgresql@${version}/bin`,
  ];
  for (const place of places) {
    const isThere = await access(join(place, 'pg_ctl')).then(
      () => true,
      () => false,
    );
    if (isThere) return place;
  }
  return undefined;
}

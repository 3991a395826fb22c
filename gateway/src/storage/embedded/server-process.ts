/** Makes a cluster, starts its server as a daemon and stops it, by PostgreSQL's own programs. Holds no connection. */
import { execFile } from 'node:child_process';
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../foundation/error-code.ts';
import { EmbeddedPostgresError, explainServerOutput, programDoesNotRun } from './embedded-postgres-error.ts';
import type { NativePrograms } from './native-programs.ts';
import type { ServerHome } from './server-home.ts';

export const SUPERUSER = 'gateway';

const MAJOR_VERSION = '18';
/** Relative to the home, which every program runs in: no path needs quoting, and a data directory may be moved. */
const CLUSTER = 'cluster';
const LOG = 'server.log';

/** Given at every start, so that a server follows the code and not the day on which its cluster was made. */
const SETTINGS = {
  listen_addresses: '',
  unix_socket_directories: '..',
  unix_socket_permissions: '0700',
  max_connections: '100',
  // The machine is the gateway's too; what does not fit lies in the system's own cache.
  shared_buffers: '256MB',
  // A checkpoint makes each page be written whole into the log once more: seldom, then.
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  jit: 'off',
  // No disk of today has to turn to a page. At the default of 4 a batch of keys makes a whole table look cheaper.
  random_page_cost: '1.1',
  // A table that was empty a minute ago may hold a hundred thousand rows, and a queue as many dead ones.
  autovacuum_naptime: '20s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // A statement or a row that was refused may hold what no log may show.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
};

/**
 * For tests alone: a crash of the machine then loses the database, which lives for less than a vacuum is worth. A deadlock
 * is looked for early, so that it is found and counted before a test's own wait is over.
 */
const NOT_DURABLE = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum_naptime: '5min',
  deadlock_timeout: '50ms',
};

/** Another server still holds the cluster or its socket: it is going down, or its processes outlive a kill -9. */
const STILL_HELD =
  /lock file ".*" already exists|pre-existing shared memory block|Is another postmaster already running/;

export async function makeClusterIfMissing(
  home: ServerHome,
  programs: NativePrograms,
  durable: boolean,
  onMaking: () => void,
): Promise<void> {
  if (await hasCluster(home)) return;
  onMaking();
  await removeUnfinished(home);
  const unfinished = `${CLUSTER}.unfinished-${process.pid}`;
  const made = await run(home, programs.initdb, [
    ...['-D', unfinished, '-U', SUPERUSER, '--auth=trust', '--encoding=UTF8', '--no-instructions'],
    ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ...(durable ? [] : ['--no-sync']),
  ]);
  if (made.code !== 0) {
    await removeUnfinished(home);
    throw explainServerOutput(made.output, home.folder, 'the message above');
  }
  await rename(join(home.folder, unfinished), join(home.folder, CLUSTER));
}

/** Starts the server. `still-held` says that another one has not quite let go: look again in a moment. */
export async function startServer(
  home: ServerHome,
  programs: NativePrograms,
  durable: boolean,
): Promise<'started' | 'still-held'> {
  const settings = Object.entries({ ...SETTINGS, ...(durable ? {} : NOT_DURABLE) });
  const options = settings.map(([name, value]) => `-c ${name}=${value}`).join(' ');
  const log = join(home.folder, LOG);
  const logBefore = await sizeOf(log);
  const args = ['start', '-D', CLUSTER, '-l', LOG, '-w', '-t', '60', '-s', '-o', options];
  const started = await run(home, programs.pgCtl, args);
  if (started.code === 0) return 'started';
  const output = `${started.output}\n${await readFrom(log, logBefore)}`;
  if (STILL_HELD.test(output)) return 'still-held';
  throw explainServerOutput(output, home.folder, log);
}

/** Ends every connection and the server. Failing is no error: then another process started to use or stop it. */
export async function stopServer(home: ServerHome, programs: NativePrograms): Promise<void> {
  await run(home, programs.pgCtl, ['stop', '-D', CLUSTER, '-m', 'fast', '-w', '-t', '60', '-s']);
}

async function hasCluster(home: ServerHome): Promise<boolean> {
  const cluster = join(home.folder, CLUSTER);
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (version?.trim() === MAJOR_VERSION) return true;
  if (version !== undefined) {
    throw new EmbeddedPostgresError(
      `The database in ${cluster} is of PostgreSQL ${version.trim()}, and this gateway brings PostgreSQL ${MAJOR_VERSION}`,
      'Use the release of the gateway that made it to move it over, or set GATEWAY_DATA_DIR to another folder',
    );
  }
  const exists = await stat(cluster).catch(() => undefined);
  if (!exists) return false;
  throw new EmbeddedPostgresError(
    `The database in ${cluster} is broken (its file PG_VERSION is missing)`,
    'Restore the folder from a backup, or move it away to begin with an empty database',
  );
}

async function removeUnfinished(home: ServerHome): Promise<void> {
  const names = (await readdir(home.folder)).filter((name) => name.startsWith(`${CLUSTER}.unfinished-`));
  for (const name of names) await rm(join(home.folder, name), { recursive: true, force: true });
}

/** The programs see nothing of this process's environment: PGDATA, PGPORT or PGOPTIONS in it must not reach them. */
function run(home: ServerHome, program: string, args: string[]): Promise<{ code: number; output: string }> {
  const options = { cwd: home.folder, env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' }, ...home.account };
  return new Promise((resolve, reject) => {
    execFile(program, args, options, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`;
      if (!error) resolve({ code: 0, output });
      else if (typeof error.code === 'number') resolve({ code: error.code, output });
      else reject(errorCode(error) ? programDoesNotRun(`${program}: ${errorCode(error)}`) : error);
    });
  });
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

async function readFrom(file: string, position: number): Promise<string> {
  const handle = await open(file).catch(() => undefined);
  if (!handle) return '';
  try {
    const length = (await handle.stat()).size - position;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

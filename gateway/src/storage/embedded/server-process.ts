/** Creates a database cluster, and runs its server as a daemon, with PostgreSQL's own programs. It holds no connection. */
import { execFile } from 'node:child_process';
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { errorCode } from '../../foundation/error-code.ts';
import { EmbeddedPostgresError, explainServerOutput, programDoesNotRun } from './embedded-postgres-error.ts';
import type { NativePrograms } from './native-programs.ts';
import type { ServerHome } from './server-home.ts';

export const SUPERUSER = 'gateway';

export const MAJOR_VERSION = '18';
/** Relative to the home, every program's working directory: paths need no quotes, and a data directory may move. */
export const CLUSTER = 'cluster';
const LOG = 'server.log';

/** Passed at startup, so that a server follows the code rather than the time of its cluster's creation. */
const SETTINGS = {
  listen_addresses: '',
  unix_socket_directories: '..',
  unix_socket_permissions: '0700',
  max_connections: '100',
  // The gateway runs on the same machine. The operating system caches the pages beyond this size.
  shared_buffers: '256MB',
  // PostgreSQL writes a full page to WAL at its first change after a checkpoint, so checkpoints are rare.
  max_wal_size: '4GB',
  // A commit waits while the server creates a new segment of 16 MB. A checkpoint keeps this much for reuse.
  min_wal_size: '1GB',
  checkpoint_timeout: '15min',
  jit: 'off',
  // Current disks have no seek time. At the default of 4 the planner prefers a full scan to a batch of index lookups.
  random_page_cost: '1.1',
  // An empty table may have a hundred thousand rows a minute later, and a queue as many dead ones.
  autovacuum_naptime: '20s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // A rejected statement or row may contain data that must not appear in a log.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
};

/**
 * For tests only: a crash of the machine loses such a database, and it exists for too short a time to need a vacuum. The
 * server checks for deadlocks early, so that it detects and counts one before a test's timeout. Several gateways share the
 * server at a time.
 */
const NOT_DURABLE = {
  max_connections: '400',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  min_wal_size: '80MB',
  autovacuum_naptime: '5min',
  deadlock_timeout: '50ms',
};

/** Another server still holds the cluster or its socket: it is shutting down, or its processes survive a kill -9. */
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
    '-D',
    unfinished,
    '-U',
    SUPERUSER,
    '--auth=trust',
    '--encoding=UTF8',
    '--no-instructions',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(durable ? [] : ['--no-sync']),
  ]);
  if (made.code !== 0) {
    await removeUnfinished(home);
    throw explainServerOutput(made.output, home.folder, 'the message above');
  }
  await rename(join(home.folder, unfinished), join(home.folder, CLUSTER));
}

/** Starts the server. `still-held`: another server has not released the cluster yet, so retry soon. */
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

/** Ends all connections and the server. A failure is not an error, because another process may have joined or stopped it. */
export async function stopServer(home: ServerHome, programs: NativePrograms): Promise<void> {
  await run(home, programs.pgCtl, ['stop', '-D', CLUSTER, '-m', 'fast', '-w', '-t', '60', '-s']);
}

async function hasCluster(home: ServerHome): Promise<boolean> {
  const cluster = join(home.folder, CLUSTER);
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (version?.trim() === MAJOR_VERSION) return true;
  if (version !== undefined) {
    throw new EmbeddedPostgresError(
      `The database in ${cluster} has the format of PostgreSQL ${version.trim()}, but this gateway contains PostgreSQL ${MAJOR_VERSION}`,
      'Migrate it with the gateway release that created it, or set GATEWAY_DATA_DIR to another directory',
    );
  }
  const exists = await stat(cluster).catch(() => undefined);
  if (!exists) return false;
  throw new EmbeddedPostgresError(
    `The database in ${cluster} is broken (its file PG_VERSION is missing)`,
    'Restore the directory from a backup, or move it away to start with an empty database',
  );
}

async function removeUnfinished(home: ServerHome): Promise<void> {
  const names = (await readdir(home.folder)).filter((name) => name.startsWith(`${CLUSTER}.unfinished-`));
  for (const name of names) await rm(join(home.folder, name), { recursive: true, force: true });
}

/** The programs get an empty environment: PGDATA, PGPORT or PGOPTIONS must not reach them. */
function run(home: ServerHome, program: string, args: string[]): Promise<{ code: number; output: string }> {
  const options = { cwd: home.folder, env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' }, ...home.account };
  return new Promise((resolve, reject) => {
    execFile(program, args, options, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`;
      if (!error) resolve({ code: 0, output });
      else if (typeof error.code === 'number') resolve({ code: error.code, output });
      else if (error.signal)
        resolve({ code: -1, output: `${output}\n${basename(program)} was ended by ${error.signal}` });
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

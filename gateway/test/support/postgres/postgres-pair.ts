/**
 * A primary and its streaming standby, run with the embedded PostgreSQL's programs: every commit waits until the standby has
 * written it. It is for tests that lose the primary permanently. The standby is a copy of the stopped primary, because the
 * package has no pg_basebackup.
 */
import { execFile } from 'node:child_process';
import { appendFile, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { installPrograms } from '../../../src/storage/embedded/native-programs.ts';
import { makeHome, prepareDataDirectory } from '../../../src/storage/embedded/server-home.ts';
import { makeClusterIfMissing, SUPERUSER } from '../../../src/storage/embedded/server-process.ts';
import { until } from '../tools/until.ts';

const run = promisify(execFile);
export const PRIMARY = { folder: 'cluster', port: 5432 } as const;
export const STANDBY = { folder: 'standby', port: 5433 } as const;
type Server = typeof PRIMARY | typeof STANDBY;

interface PostgresPair {
  /** Returns the connection to the current primary. */
  connection(): pg.ClientConfig & { readonly host: string; readonly port: number };
  /** Kills the primary (kill -9), which never returns. */
  killPrimary(): Promise<void>;
  /** Promotes the standby to primary. */
  promote(): Promise<void>;
  close(): Promise<void>;
}

export async function startPostgresPair(): Promise<PostgresPair> {
  const dataDirectory = await prepareDataDirectory(await mkdtemp(join(tmpdir(), 'gateway-pair-')));
  const home = await makeHome(dataDirectory);
  const programs = await installPrograms(home.folder);
  await makeClusterIfMissing(home, programs, false, () => {});
  const options = { cwd: home.folder, env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' }, ...home.account };
  const control = (verb: string, { folder }: Server, ...args: readonly string[]) =>
    run(programs.pgCtl, [verb, '-D', folder, '-w', '-t', '60', '-s', ...args], options);
  const start = (server: Server, settings: string) =>
    control('start', server, '-l', `${server.folder}.log`, '-o', `${common(server)} ${settings}`);
  const at = ({ port }: Server) => ({ host: home.folder, port, user: SUPERUSER, database: 'postgres' });
  let primary: Server = PRIMARY;
  await run('cp', ['-a', join(home.folder, PRIMARY.folder), join(home.folder, STANDBY.folder)]);
  await own(join(home.folder, STANDBY.folder), home.folder, home.account);
  await start(PRIMARY, `-c synchronous_standby_names=${STANDBY.folder}`);
  await start(STANDBY, '');
  await until('the standby to follow', () => isFollowed(at(PRIMARY)));
  return {
    connection: () => at(primary),
    killPrimary: async () => {
      const pid = Number(
        (await readFile(join(home.folder, PRIMARY.folder, 'postmaster.pid'), 'utf8')).split('\n', 1)[0],
      );
      process.kill(pid, 'SIGKILL');
    },
    promote: async () => {
      await control('promote', STANDBY);
      primary = STANDBY;
    },
    async close() {
      for (const server of [STANDBY, PRIMARY]) await control('stop', server, '-m', 'immediate').catch(() => {});
      await rm(home.folder, { recursive: true, force: true });
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** Uses no network: the standby reaches its primary through the same folder of sockets. */
function common({ port }: Server): string {
  const settings = {
    listen_addresses: "''",
    unix_socket_directories: '..',
    port,
    shared_buffers: '64MB',
    timezone: 'UTC',
    hot_standby_feedback: 'on',
  };
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

async function own(cluster: string, sockets: string, account: { uid: number; gid: number } | undefined): Promise<void> {
  await writeFile(join(cluster, 'standby.signal'), '');
  const address = `host=${sockets} port=${PRIMARY.port} user=${SUPERUSER} application_name=${STANDBY.folder}`;
  await appendFile(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${address}'\n`);
  if (!account) return;
  await run('chown', ['-R', `${account.uid}:${account.gid}`, cluster]);
  await chown(cluster, account.uid, account.gid);
}

async function isFollowed(config: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(config);
  await client.connect();
  try {
    const { rows } = await client.query<{ sync: string }>('select sync_state as sync from pg_stat_replication');
    return rows[0]?.sync === 'sync';
  } finally {
    await client.end();
  }
}

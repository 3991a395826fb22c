/**
 * A PostgreSQL from the embedded programs with a WAL archive, for tests that lose it and restore a base backup to an earlier
 * time. The copy is made between pg_backup_start and pg_backup_stop, because the package has no pg_basebackup.
 */
import { execFile } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { installPrograms } from '../../../src/storage/embedded/native-programs.ts';
import { makeHome, prepareDataDirectory } from '../../../src/storage/embedded/server-home.ts';
import { makeClusterIfMissing, SUPERUSER } from '../../../src/storage/embedded/server-process.ts';
import { freePort } from '../gateway/running-gateway.ts';
import { until } from '../tools/until.ts';

const run = promisify(execFile);
const [CLUSTER, BACKUP, ARCHIVE] = ['cluster', 'backup', 'archive'] as const;

export interface RestorablePostgres {
  /** The connection, which a restore leaves unchanged. */
  readonly connection: pg.ClientConfig & { readonly host: string; readonly port: number };
  readonly url: string;
  query<Row extends pg.QueryResultRow>(text: string): Promise<readonly Row[]>;
  /** Copies the running cluster. */
  backUp(): Promise<void>;
  /** Returns the server's time as text for `restoreTo`. */
  now(): Promise<string>;
  /** Deletes the cluster, restores the backup and replays the archive up to that time. */
  restoreTo(time: string): Promise<void>;
  close(): Promise<void>;
}

function settingsOf(port: number) {
  return {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '..',
    port,
    shared_buffers: '64MB',
    timezone: 'UTC',
    max_connections: 200,
    archive_mode: 'on',
    archive_command: `'cp %p ../${ARCHIVE}/%f'`,
  };
}

export async function startRestorablePostgres(): Promise<RestorablePostgres> {
  const dataDirectory = await prepareDataDirectory(await mkdtemp(join(tmpdir(), 'gateway-restore-')));
  const home = await makeHome(dataDirectory);
  const programs = await installPrograms(home.folder);
  await makeClusterIfMissing(home, programs, false, () => {});
  const port = await freePort();
  const connection = { host: '127.0.0.1', port, user: SUPERUSER, database: 'postgres' };
  const options = { cwd: home.folder, env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' }, ...home.account };
  const control = (verb: string, ...args: readonly string[]) =>
    run(programs.pgCtl, [verb, '-D', CLUSTER, '-w', '-t', '120', '-s', ...args], options);
  const inHome = (name: string) => join(home.folder, name);
  const given = Object.entries(settingsOf(port)).map(([name, value]) => `-c ${name}=${value}`);
  const start = () => control('start', '-l', 'server.log', '-o', given.join(' '));
  const own = async (path: string) => {
    if (home.account) await run('chown', ['-R', `${home.account.uid}:${home.account.gid}`, path]);
  };
  const query = async <Row extends pg.QueryResultRow>(text: string): Promise<readonly Row[]> => {
    const client = new pg.Client(connection);
    await client.connect();
    const { rows } = await client.query<Row>(text).finally(() => client.end());
    return rows;
  };
  await mkdir(inHome(ARCHIVE));
  await own(inHome(ARCHIVE));
  await start();
  return {
    connection,
    url: `postgresql://${connection.user}@${connection.host}:${port}/${connection.database}`,
    query,
    async backUp() {
      const client = new pg.Client(connection);
      await client.connect();
      try {
        await client.query(`select pg_backup_start('drill', true)`);
        await run('cp', ['-a', inHome(CLUSTER), inHome(BACKUP)]);
        for (const ofRunning of ['postmaster.pid', 'pg_wal'])
          await rm(inHome(join(BACKUP, ofRunning)), { recursive: true });
        await mkdir(inHome(join(BACKUP, 'pg_wal')));
        const stopped = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
        await writeFile(join(inHome(BACKUP), 'backup_label'), stopped.rows[0]?.labelfile ?? '');
      } finally {
        await client.end();
      }
    },
    now: async () => (await query<{ now: string }>('select clock_timestamp()::text as now'))[0]?.now ?? '',
    async restoreTo(time) {
      await query('select pg_switch_wal()');
      await until('the log is archived', async () => {
        const [found] = await query<{ done: boolean }>(
          `select coalesce(last_archived_wal >= pg_walfile_name(pg_current_wal_lsn() - 1), false) as done from pg_stat_archiver`,
        );
        return found?.done;
      });
      await control('stop', '-m', 'immediate');
      await rm(inHome(CLUSTER), { recursive: true });
      await run('cp', ['-a', inHome(BACKUP), inHome(CLUSTER)]);
      await writeFile(join(inHome(CLUSTER), 'recovery.signal'), '');
      await appendFile(
        join(inHome(CLUSTER), 'postgresql.auto.conf'),
        [
          `restore_command = 'cp ../${ARCHIVE}/%f %p'`,
          `recovery_target_time = '${time}'`,
          `recovery_target_action = 'promote'\n`,
        ].join('\n'),
      );
      await own(inHome(CLUSTER));
      await start();
      await until('the restored server accepts writes', async () => {
        const [found] = await query<{ replays: boolean }>('select pg_is_in_recovery() as replays');
        return found?.replays === false;
      });
    },
    async close() {
      await control('stop', '-m', 'immediate').catch(() => {});
      await rm(home.folder, { recursive: true, force: true });
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

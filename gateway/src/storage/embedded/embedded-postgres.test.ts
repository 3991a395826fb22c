import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { until } from '../../../test/support/tools/until.ts';
import { type EmbeddedPostgres, openEmbeddedPostgres } from './embedded-postgres.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { isAlive } from './living-process.ts';

const USER = join(import.meta.dirname, '../../../test/support/postgres/embedded-postgres-user.ts');
const IS_ROOT = process.getuid?.() === 0;

let dataDirectory = '';
let processes: ChildProcess[] = [];
let opened: EmbeddedPostgres[] = [];

async function makeDataDirectory(): Promise<void> {
  dataDirectory = await mkdtemp(join(tmpdir(), 'embedded-'));
}

async function cleanUp(): Promise<void> {
  await Promise.all([...processes.map((user) => leave(user)), ...opened.map((postgres) => postgres.close())]);
  for (const { folder } of opened) await rm(folder, { recursive: true, force: true });
  await rm(dataDirectory, { recursive: true, force: true });
  processes = [];
  opened = [];
}

async function open(): Promise<EmbeddedPostgres> {
  const postgres = await openEmbeddedPostgres({ dataDirectory, durable: false, log: () => {} });
  opened.push(postgres);
  return postgres;
}

async function openInProcess(): Promise<ChildProcess> {
  const user = spawn(process.execPath, [USER, dataDirectory], { stdio: ['ignore', 'pipe', 'inherit'] });
  processes.push(user);
  const [said] = await once(user.stdout, 'data');
  assert.equal(String(said), 'open\n');
  return user;
}

async function leave(user: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (user.exitCode !== null || user.signalCode !== null) return;
  user.kill(signal);
  await once(user, 'exit');
}

async function query(postgres: EmbeddedPostgres, text: string): Promise<unknown[]> {
  const client = new pg.Client(postgres.connectionConfig);
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows;
}

async function serverPid(postgres: EmbeddedPostgres): Promise<number | undefined> {
  const text = await readFile(join(postgres.folder, 'cluster/postmaster.pid'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Number.parseInt(text, 10);
}

/** Finds the PostgreSQL backend of the connection that counts `user` as a user. */
async function backendOf(postgres: EmbeddedPostgres, user: ChildProcess): Promise<number> {
  const rows = await query(
    postgres,
    `select pid from pg_stat_activity where application_name = 'embedded-postgres-user ${user.pid}'`,
  );
  assert.equal(rows.length, 1);
  return (rows as { pid: number }[])[0]?.pid ?? 0;
}

/** True once this process, which is closing, has found another user. */
async function asksForUsers(postgres: EmbeddedPostgres): Promise<boolean> {
  const rows = await query(
    postgres,
    `select from pg_stat_activity
     where application_name = 'embedded-postgres-user ${process.pid}' and query like '%from pg_locks%'`,
  );
  return rows.length > 0;
}

describe('the embedded PostgreSQL', () => {
  before(makeDataDirectory);
  after(cleanUp);

  it('an embedded server keeps its data after a restart', async () => {
    const first = await open();
    await query(first, 'create table kept as select 7 as seven');
    await first.close();
    assert.equal(await serverPid(first), undefined, 'the last user stops the server');
    const second = await open();
    assert.deepEqual(await query(second, 'select seven from kept'), [{ seven: 7 }]);
    await second.close();
  });

  it('an embedded server uses a private directory and listens on no port', async () => {
    const postgres = await open();
    assert.equal((await stat(postgres.folder)).mode & 0o777, 0o700);
    assert.deepEqual(await query(postgres, 'show listen_addresses'), [{ listen_addresses: '' }]);
    await postgres.close();
  });

  it('an embedded server keeps running after the process that started it is killed', async () => {
    await leave(await openInProcess(), 'SIGKILL');
    const running = opened[0] && (await serverPid(opened[0]));
    const postgres = await open();
    assert.ok(running);
    assert.equal(await serverPid(postgres), running);
    await postgres.close();
    assert.equal(await serverPid(postgres), undefined);
  });

  it('the last user stops the embedded server before PostgreSQL notices that another user was killed', async () => {
    const user = await openInProcess();
    const postgres = await open();
    const backend = await backendOf(postgres, user);
    process.kill(backend, 'SIGSTOP');
    await leave(user, 'SIGKILL');
    const closed = postgres.close();
    await Promise.race([closed, until('it asks whose the other use is', () => asksForUsers(postgres))]);
    process.kill(backend, 'SIGCONT');
    await closed;
    assert.equal(await serverPid(postgres), undefined);
  });

  it('an embedded server starts and stops with many processes that do not wait for each other', async () => {
    for (let round = 0; round < 2; round++) {
      const users = await Promise.all([1, 2, 3].map(() => openInProcess()));
      await Promise.all([...users.map((user) => leave(user)), openInProcess().then((user) => leave(user))]);
    }
  });

  it('an embedded server restarts after it was killed', async () => {
    const postgres = await open();
    const killed = await serverPid(postgres);
    assert.ok(killed);
    process.kill(killed, 'SIGKILL');
    const deadline = AbortSignal.timeout(20_000);
    while (!(await query(postgres, 'select 1').catch(() => undefined))) {
      deadline.throwIfAborted();
      await sleep(50);
    }
    assert.notEqual(await serverPid(postgres), killed);
    await postgres.close();
  });

  it('an embedded server stops when its data directory is deleted in use', async () => {
    const deleted = Promise.withResolvers<Error>();
    const postgres = await openEmbeddedPostgres({
      dataDirectory,
      durable: false,
      log: () => {},
      onDeleted: deleted.resolve,
    });
    opened.push(postgres);
    const server = await serverPid(postgres);
    assert.ok(server);
    await rm(dataDirectory, { recursive: true });
    assert.match((await deleted.promise).message, /was deleted while its database was in use/);
    await postgres.close();
    await until('the end of the server', async () => !(await isAlive(server)));
    await assert.rejects(stat(dataDirectory), { code: 'ENOENT' });
  });

  it('an embedded server begins empty after its data directory was deleted', async () => {
    await rm(dataDirectory, { recursive: true, force: true });
    const postgres = await open();
    assert.deepEqual(await query(postgres, "select to_regclass('kept') as found"), [{ found: null }]);
    await postgres.close();
  });
});

describe('the first start of an embedded server', () => {
  before(makeDataDirectory);
  after(cleanUp);

  it('three concurrent first starts create one embedded database, which runs until the last user closes it', async () => {
    const users = await Promise.all([1, 2, 3].map(() => openInProcess()));
    const postgres = await open();
    const pid = await serverPid(postgres);
    await postgres.close();
    for (const user of users.slice(1)) await leave(user);
    assert.equal(await serverPid(postgres), pid);
    await leave(users[0] as ChildProcess);
    assert.equal(await serverPid(postgres), undefined);
    const left = await readdir(postgres.folder);
    assert.deepEqual(
      left.filter((name) => name.includes('unfinished')),
      [],
    );
  });
});

describe('error messages of the embedded server', () => {
  let cluster = '';

  before(async () => {
    await makeDataDirectory();
    const postgres = await open();
    await postgres.close();
    cluster = join(postgres.folder, 'cluster');
  });
  after(cleanUp);

  async function refusal(directory = dataDirectory): Promise<string> {
    const error = await openEmbeddedPostgres({ dataDirectory: directory, log: () => {} }).then(
      (postgres) => postgres.close(),
      (reason) => reason,
    );
    assert.ok(error instanceof EmbeddedPostgresError, `expected an EmbeddedPostgresError, got: ${error}`);
    assert.match(error.remedy, /^[A-Z]/);
    assert.doesNotMatch(error.message, /\n/);
    return error.problem;
  }

  it('an embedded database server reports a file in place of its data directory', async () => {
    const file = join(dataDirectory, 'file');
    await writeFile(file, '');
    assert.match(await refusal(file), /a file is in its place/);
  });

  it('an embedded server explains that its database has another major version', async () => {
    await writeFile(join(cluster, 'PG_VERSION'), '17\n');
    assert.match(await refusal(), /has the format of PostgreSQL 17, but this gateway contains PostgreSQL 18/);
  });

  it('an embedded server explains that its database lacks the file PG_VERSION', async () => {
    await rm(join(cluster, 'PG_VERSION'));
    assert.match(await refusal(), /is broken \(its file PG_VERSION is missing\)/);
    await writeFile(join(cluster, 'PG_VERSION'), '18\n');
  });

  it('an embedded server explains why PostgreSQL does not start from a damaged database', async () => {
    await rm(join(cluster, 'global/pg_control'));
    assert.match(await refusal(), /does not start \(could not open file "cluster\/global\/pg_control"/);
  });

  it('an embedded server explains that its data directory cannot be created', async () => {
    assert.match(await refusal('/proc/data'), /cannot be written by this user/);
  });

  // For root the socket is elsewhere, and file modes do not prevent writes.
  if (IS_ROOT) return;

  it('an embedded server explains that its path is too long for a socket', async () => {
    assert.match(await refusal(join(dataDirectory, 'x'.repeat(100))), /bytes, and 100 is the most/);
  });

  it('an embedded server explains that its data directory is not writable', async () => {
    const closed = join(dataDirectory, 'closed');
    await mkdir(closed, { mode: 0o500 });
    assert.match(await refusal(join(closed, 'data')), /cannot be written by this user/);
  });
});

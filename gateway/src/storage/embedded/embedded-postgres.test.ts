import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { until } from '../../../test/support/until.ts';
import { type EmbeddedPostgres, openEmbeddedPostgres } from './embedded-postgres.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { isAlive } from './living-process.ts';

const USER = join(import.meta.dirname, '../../../test/support/embedded-postgres-user.ts');
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

/** The process of PostgreSQL that serves the connection by which `user` counts as a user. */
async function backendOf(postgres: EmbeddedPostgres, user: ChildProcess): Promise<number> {
  const rows = await query(
    postgres,
    `select pid from pg_stat_activity where application_name = 'embedded-postgres-user ${user.pid}'`,
  );
  assert.equal(rows.length, 1);
  return (rows as { pid: number }[])[0]?.pid ?? 0;
}

/** This process is leaving, and has found another user. */
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

  it('keeps what was written, over a close and a second start', async () => {
    const first = await open();
    await query(first, 'create table kept as select 7 as seven');
    await first.close();
    assert.equal(await serverPid(first), undefined, 'the last one out stops the server');
    const second = await open();
    assert.deepEqual(await query(second, 'select seven from kept'), [{ seven: 7 }]);
    await second.close();
  });

  it('lies in a folder that nobody else may enter, and listens on no port', async () => {
    const postgres = await open();
    assert.equal((await stat(postgres.folder)).mode & 0o777, 0o700);
    assert.deepEqual(await query(postgres, 'show listen_addresses'), [{ listen_addresses: '' }]);
    await postgres.close();
  });

  it('is found and used when the process that started it was killed, and stopped by the next one out', async () => {
    await leave(await openInProcess(), 'SIGKILL');
    const running = opened[0] && (await serverPid(opened[0]));
    const postgres = await open();
    assert.ok(running);
    assert.equal(await serverPid(postgres), running);
    await postgres.close();
    assert.equal(await serverPid(postgres), undefined);
  });

  it('the last user stops the server before PostgreSQL notices that another user was killed', async () => {
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

  it('comes and goes with many processes that do not wait for each other', async () => {
    for (let round = 0; round < 3; round++) {
      const users = await Promise.all([1, 2, 3].map(() => openInProcess()));
      await Promise.all([...users.map((user) => leave(user)), openInProcess().then((user) => leave(user))]);
    }
  });

  it('is started again when it was killed', async () => {
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

  it('an embedded server reports that its data directory was deleted in use, makes no other, and stops', async () => {
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

describe('a first start', () => {
  before(makeDataDirectory);
  after(cleanUp);

  it('by six processes together makes one database, which stays until the last of them leaves', async () => {
    const users = await Promise.all([1, 2, 3, 4, 5, 6].map(() => openInProcess()));
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

describe('a sentence says', () => {
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
    assert.ok(error instanceof EmbeddedPostgresError, `it opened, or threw what is no sentence: ${error}`);
    assert.match(error.remedy, /^[A-Z]/);
    assert.doesNotMatch(error.message, /\n/);
    return error.problem;
  }

  it('that a file stands in the data directory’s place', async () => {
    const file = join(dataDirectory, 'file');
    await writeFile(file, '');
    assert.match(await refusal(file), /a file stands in its place/);
  });

  it('that the database is of another major version', async () => {
    await writeFile(join(cluster, 'PG_VERSION'), '17\n');
    assert.match(await refusal(), /is of PostgreSQL 17, and this gateway brings PostgreSQL 18/);
  });

  it('that the database lost its version', async () => {
    await rm(join(cluster, 'PG_VERSION'));
    assert.match(await refusal(), /is broken \(its file PG_VERSION is missing\)/);
    await writeFile(join(cluster, 'PG_VERSION'), '18\n');
  });

  it('why the server does not start from what is left of the database', async () => {
    await rm(join(cluster, 'global/pg_control'));
    assert.match(await refusal(), /does not start \(could not open file "cluster\/global\/pg_control"/);
  });

  it('that nothing can be made where the data directory should be', async () => {
    assert.match(await refusal('/proc/data'), /can't be written by this user/);
  });

  // Root's socket lies elsewhere, and no mode keeps root from writing.
  if (IS_ROOT) return;

  it('that the path is too long for a socket', async () => {
    assert.match(await refusal(join(dataDirectory, 'x'.repeat(100))), /bytes, and 100 is the most/);
  });

  it('that the data directory can’t be written', async () => {
    const closed = join(dataDirectory, 'closed');
    await mkdir(closed, { mode: 0o500 });
    assert.match(await refusal(join(closed, 'data')), /can't be written by this user/);
  });
});

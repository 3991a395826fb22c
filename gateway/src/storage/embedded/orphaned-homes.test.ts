import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DAY_MS } from '../../foundation/clock.ts';
import { openEmbeddedPostgres } from './embedded-postgres.ts';
import { removeOrphanedHomes } from './orphaned-homes.ts';
import { filesOf, listRootHomes, makeRootHome, type RootHome, removeRootHome } from './root-home.ts';

const USER = join(import.meta.dirname, '../../../test/support/postgres/embedded-postgres-user.ts');
const DELETED_AT = Date.UTC(2026, 10, 21);
const A_WEEK_LATER = DELETED_AT + 7 * DAY_MS;

let parent = '';
let dataDirectory = '';
let folder = '';

async function home(): Promise<RootHome> {
  const found = (await listRootHomes()).find((each) => each.folder === folder);
  assert.ok(found);
  return found;
}

/** Limited to this test's home, because this machine may have others. */
const tidy = async (now: number) => removeOrphanedHomes(now, [await home()]);
const exists = () =>
  stat(folder).then(
    () => true,
    () => false,
  );

/** Checks twice, a week apart. The database still exists afterwards. */
async function assertKept(): Promise<void> {
  assert.deepEqual(await tidy(DELETED_AT), []);
  assert.deepEqual(await tidy(A_WEEK_LATER), []);
  assert.equal(await exists(), true);
}

async function useInProcess(): Promise<ChildProcess> {
  const user = spawn(process.execPath, [USER, dataDirectory], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(user.stdout, 'data');
  return user;
}

async function end(user: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  user.kill(signal);
  await once(user, 'exit');
}

const skip = process.getuid?.() === 0 ? false : 'the database of another user lies in its data directory';

describe('a database that root started', { skip }, () => {
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'orphans-'));
    dataDirectory = await mkdtemp(join(parent, 'data-'));
    ({ folder } = await makeRootHome(dataDirectory));
  });
  afterEach(async () => {
    await removeRootHome(folder);
    await rm(parent, { recursive: true, force: true });
  });

  it('a database that root started is deleted only a week after a start found its data directory deleted', async () => {
    assert.deepEqual(await tidy(DELETED_AT), []);
    await rm(dataDirectory, { recursive: true });
    const [announced] = await tidy(DELETED_AT);
    assert.match(announced ?? '', /^The data directory \S+ was deleted, .* is deleted after 2026-11-28 00:00:00/);
    assert.deepEqual(await tidy(A_WEEK_LATER - 1), []);
    assert.equal(await exists(), true);
    assert.match((await tidy(A_WEEK_LATER))[0] ?? '', /is deleted now$/);
    assert.equal(await exists(), false);
    for (const file of Object.values(filesOf(folder))) await assert.rejects(stat(file), { code: 'ENOENT' });
  });

  it('a database that root started is kept when the directory around its data directory was moved', async () => {
    await rename(parent, `${parent}-moved`);
    await assertKept();
    await rename(`${parent}-moved`, parent);
  });

  it('a database that root started is kept when its data directory reappears', async () => {
    await cp(dataDirectory, `${dataDirectory}-copy`, { recursive: true });
    await rm(dataDirectory, { recursive: true });
    assert.equal((await tidy(DELETED_AT)).length, 1);
    await rename(`${dataDirectory}-copy`, dataDirectory);
    await assertKept();
    await rm(dataDirectory, { recursive: true });
    assert.match((await tidy(A_WEEK_LATER))[0] ?? '', /is deleted after/);
  });

  it('a database that root started is kept while another file system is mounted at its data directory', async () => {
    await rm(dataDirectory, { recursive: true });
    const { origin } = filesOf(folder);
    const written = JSON.parse(await readFile(origin, 'utf8'));
    await writeFile(origin, JSON.stringify({ ...written, device: written.device + 1 }));
    await assertKept();
  });

  it('a database that root started is kept when its origin is unknown', async () => {
    await rm(dataDirectory, { recursive: true });
    for (const file of Object.values(filesOf(folder))) await rm(file, { force: true });
    await assertKept();
  });

  it('an orphan that cannot be checked is kept and reported, and does not keep a gateway from starting', async () => {
    await rm(dataDirectory, { recursive: true });
    await mkdir(filesOf(folder).orphaned);
    const [reported] = await tidy(DELETED_AT);
    assert.match(reported ?? '', /^The database in \S+ may be an orphan and could not be checked \(EISDIR/);
    assert.equal(await exists(), true);
    await rmdir(filesOf(folder).orphaned);
  });

  it('a user other than root starts next to an orphan of root, and does not end it', async () => {
    await rm(dataDirectory, { recursive: true });
    const getuid = process.getuid?.bind(process) ?? (() => 0);
    process.getuid = () => 65_534;
    try {
      assert.deepEqual(await tidy(DELETED_AT), []);
    } finally {
      process.getuid = getuid;
    }
    assert.equal((await tidy(DELETED_AT)).length, 1);
  });

  it('a database that root started is kept while its server has a user', async () => {
    await openEmbeddedPostgres({ dataDirectory, durable: false, log: () => {} }).then((postgres) => postgres.close());
    const user = await useInProcess();
    // A process stopped by a signal cannot notice the deletion and leave.
    user.kill('SIGSTOP');
    await rm(dataDirectory, { recursive: true });
    assert.equal((await tidy(DELETED_AT)).length, 1);
    assert.deepEqual(await tidy(A_WEEK_LATER), []);
    assert.equal(await exists(), true);
    await end(user, 'SIGKILL');
    assert.match((await tidy(A_WEEK_LATER))[0] ?? '', /is deleted now$/);
    assert.equal(await exists(), false);
  });
});

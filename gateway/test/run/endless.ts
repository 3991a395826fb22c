/** A test that ignores signals, with processes and servers, for the test of interrupted runs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTestDatabase } from '../support/postgres/postgres.ts';

const DATABASE_USER = join(import.meta.dirname, '../support/postgres/embedded-postgres-user.ts');
const DEAF =
  "for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => {}); setInterval(() => {}, 1000)";

test('a test that never ends', async () => {
  await createTestDatabase();
  const user = spawn(process.execPath, [DATABASE_USER, await mkdtemp(join(tmpdir(), 'endless-'))]);
  await once(user.stdout, 'data');
  spawn(process.execPath, ['-e', DEAF], { detached: true, stdio: 'ignore' });
  const file = join(tmpdir(), 'runner');
  await writeFile(`${file}.unfinished`, String(process.ppid));
  await rename(`${file}.unfinished`, file);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});

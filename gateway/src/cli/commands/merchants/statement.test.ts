import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runOver } from '../../../../test/support/gateway/run-over.ts';
import { ok } from '../../../foundation/result.ts';
import { readTime } from '../../read-arguments.ts';

test('statement export leaves no partial file when its connection breaks', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'statement-'));
  const file = join(folder, 'november.csv');
  await writeFile(file, 'an earlier statement');
  let isBroken = true;
  const pieces = async function* () {
    yield Buffer.from('opening\r\n');
    if (isBroken) throw new Error('the connection broke');
    yield Buffer.from('closing\r\n');
  };
  const write = async () => ok({ name: 's.csv', contentType: 'text/csv', pieces: pieces() });
  const line = `statement export M1 EUR --since 2026-11-01 --until 2026-11-02 --format csv --output ${file}`;
  const broken = await runOver(line, { statements: { write } });
  assert.match(broken.stderr, /november\.csv was not written: /);
  assert.deepEqual(
    [broken.exitCode, await readdir(folder), await readFile(file, 'utf8')],
    [1, ['november.csv'], 'an earlier statement'],
  );
  isBroken = false;
  assert.equal((await runOver(line, { statements: { write } })).exitCode, 0);
  assert.equal(await readFile(file, 'utf8'), 'opening\r\nclosing\r\n');
  await rm(folder, { recursive: true });
});

test('statement export accepts a time in the format that --json prints', () => {
  const printed = '2026-11-20T10:00:00.685Z';
  assert.equal(new Date(readTime(printed)).toISOString(), printed);
  assert.throws(() => readTime('2026-11-20T10:00:00.6Z'));
});

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { createManualClock } from '../../foundation/clock.ts';
import { systemRandom } from '../../foundation/random.ts';
import { MasterKeyError, openFileKeyring, parseMasterKeys } from './master-key.ts';

const root = mkdtempSync(path.join(tmpdir(), 'master-key-'));
after(() => rmSync(root, { recursive: true }));
let folders = 0;
const newFolder = () => path.join(root, `data-${++folders}`);

test('a master key is 32 bytes in base64 or hex, and commas separate several keys', () => {
  const base64 = Buffer.alloc(32, 7).toString('base64');
  const hex = Buffer.alloc(32, 8).toString('hex');
  const [first, second] = parseMasterKeys(`${base64}, ${hex}`) ?? [];
  assert.equal(first?.id, parseMasterKeys(Buffer.alloc(32, 7).toString('hex'))?.[0].id);
  assert.equal(second?.id, parseMasterKeys(hex.toUpperCase())?.[0].id);
});

test('parseMasterKeys rejects any other string', () => {
  const base64 = Buffer.alloc(32, 7).toString('base64');
  for (const text of [
    '',
    ',',
    'secret',
    `${base64},`,
    `${base64},short`,
    Buffer.alloc(31).toString('base64'),
    Buffer.alloc(33).toString('base64'),
    'g'.repeat(64),
  ]) {
    assert.equal(parseMasterKeys(text), undefined, text);
  }
});

test('a missing key file is created for its owner only, and a second open reads the same key', () => {
  const folder = newFolder();
  const made = openFileKeyring(folder, createManualClock(0), systemRandom).current();
  assert.equal(statSync(path.join(folder, 'master.key')).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder), ['master.key']);
  assert.equal(openFileKeyring(folder, createManualClock(0), systemRandom).current().id, made.id);
});

test('processes that start together on an empty directory all read the same master key', async () => {
  const folder = newFolder();
  const url = (file: string) => new URL(file, import.meta.url).href;
  const script = `
    const { openFileKeyring } = await import('${url('./master-key.ts')}');
    const { systemClock } = await import('${url('../../foundation/clock.ts')}');
    const { systemRandom } = await import('${url('../../foundation/random.ts')}');
    console.log(openFileKeyring(process.argv[1], systemClock, systemRandom).current().id);`;
  const start = () =>
    new Promise<string>((resolve) => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script, folder]);
      let output = '';
      child.stdout.on('data', (chunk) => {
        output += chunk;
      });
      child.on('close', () => resolve(output.trim()));
    });
  const ids = await Promise.all(Array.from({ length: 6 }, start));
  assert.match(ids[0] ?? '', /^[0-9a-f]{16}$/);
  assert.equal(new Set(ids).size, 1);
});

test('a new master key becomes current, and the former key still opens the values that it sealed', () => {
  const ring = openFileKeyring(newFolder(), createManualClock(0), systemRandom);
  const former = ring.current();
  const added = ring.addKey();
  assert.notEqual(added.id, former.id);
  assert.equal(ring.current().id, added.id);
  assert.equal(ring.find(former.id)?.id, former.id);
});

test('a running process loads a new key immediately when a sealed value needs it, and soon after otherwise', () => {
  const folder = newFolder();
  const clock = createManualClock(0);
  const running = openFileKeyring(folder, clock, systemRandom);
  const sealing = openFileKeyring(folder, clock, systemRandom);
  const former = running.current();
  const added = openFileKeyring(folder, clock, systemRandom).addKey();
  assert.equal(running.find(added.id)?.id, added.id);
  assert.equal(running.current().id, added.id);
  assert.equal(sealing.current().id, former.id);
  clock.advance(1_000);
  assert.equal(sealing.current().id, added.id);
  assert.equal(sealing.find('0000000000000000'), undefined);
});

test('a running process keeps its keys when the key file vanishes', () => {
  const folder = newFolder();
  const clock = createManualClock(0);
  const ring = openFileKeyring(folder, clock, systemRandom);
  const { id } = ring.current();
  rmSync(path.join(folder, 'master.key'));
  clock.advance(5_000);
  assert.equal(ring.current().id, id);
});

test('a second rotation of the key file at the same time is rejected, and no key is lost', () => {
  const folder = newFolder();
  const ring = openFileKeyring(folder, createManualClock(0), systemRandom);
  writeFileSync(path.join(folder, 'master.key.next'), '');
  const before = readFileSync(path.join(folder, 'master.key'), 'utf8');
  assert.throws(() => ring.addKey(), MasterKeyError);
  assert.equal(readFileSync(path.join(folder, 'master.key'), 'utf8'), before);
});

test('the error for a damaged key file is one sentence that does not repeat the content', () => {
  const folder = newFolder();
  openFileKeyring(folder, createManualClock(0), systemRandom);
  writeFileSync(path.join(folder, 'master.key'), 'half-a-key');
  assert.throws(
    () => openFileKeyring(folder, createManualClock(0), systemRandom),
    (error) =>
      error instanceof MasterKeyError && error.message.includes('master.key') && !error.message.includes('half-a-key'),
  );
});

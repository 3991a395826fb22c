import assert from 'node:assert/strict';
import { mkdtemp, readlink, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { nameOfProcess } from './living-process.ts';
import { withStartLock } from './start-lock.ts';

const noProc = process.platform === 'linux' ? false : 'the birth of a process is in /proc';

describe('the start lock', () => {
  it('a process takes over the start lock of a killed process, even if both had the same process id', {
    skip: noProc,
  }, async () => {
    const lock = join(await mkdtemp(join(tmpdir(), 'lock-')), 'start.lock');
    const own = await nameOfProcess(process.pid);
    for (const former of [`${process.pid}-1`, '4194305-1']) {
      await symlink(former, lock);
      assert.equal(await withStartLock(lock, () => readlink(lock)), own);
    }
  });

  it('the start lock has one holder at a time', async () => {
    const lock = join(await mkdtemp(join(tmpdir(), 'lock-')), 'start.lock');
    let working = 0;
    const work = async () => {
      assert.equal(++working, 1);
      await new Promise(setImmediate);
      working--;
    };
    await Promise.all([1, 2, 3].map(() => withStartLock(lock, work)));
  });
});

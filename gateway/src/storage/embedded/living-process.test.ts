import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { until } from '../../../test/support/tools/until.ts';
import { isAlive } from './living-process.ts';

describe('the function isAlive', () => {
  it('isAlive is true for this process and for a process of another user', async () => {
    assert.equal(await isAlive(process.pid), true);
    assert.equal(await isAlive(1), true);
  });

  it('isAlive is false for a process that has ended', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    assert.equal(await isAlive(child.pid ?? 0), false);
  });

  const noProc = process.platform === 'linux' ? false : 'zombies are told apart by /proc';
  it('isAlive is false for a zombie: a process that its parent has not reaped', { skip: noProc }, async (t) => {
    // The shell execs a program that does not reap children. The child waits for that exec, because a shell might reap it.
    const child = 'until grep -q sleep /proc/$$/comm; do :; done';
    const parent = spawn('sh', ['-c', `(${child}) & echo $!; exec sleep 60`], { stdio: ['ignore', 'pipe', 'inherit'] });
    t.after(() => parent.kill('SIGKILL'));
    const [printed] = await once(parent.stdout, 'data');
    const zombie = Number(String(printed));
    await until('the end of the child', async () => / \(\S+\) Z /.test(await readFile(`/proc/${zombie}/stat`, 'utf8')));
    assert.equal(await isAlive(zombie), false);
  });
});

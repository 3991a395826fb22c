/** Whether a process still runs. A zombie, which ended but was not reaped by its parent, does not run. */
import { readFile } from 'node:fs/promises';
import { errorCode } from '../../foundation/error-code.ts';

export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
  // The program's name is in parentheses and may contain any character. Without /proc, zombies are not detectable.
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return !/^ [ZX]/.test(status.slice(status.lastIndexOf(')') + 1));
}

/** Whether a process still runs. One that ended and was not yet reaped by its parent (a zombie) does not. */
import { readFile } from 'node:fs/promises';
import { errorCode } from '../../foundation/error-code.ts';

export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
  // The program's name, in parentheses, may itself hold any character. Without /proc nothing can be known of zombies.
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return !/^ [ZX]/.test(status.slice(status.lastIndexOf(')') + 1));
}

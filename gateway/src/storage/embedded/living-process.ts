/**
 * Finds out whether a process is still running. A zombie, which ended but was not reaped by its parent, is not running. The
 * system gives the id of an ended process to another process, and a container even gives the same ids at each startup. So a
 * process is identified by its id and its start time.
 */
import { readFile } from 'node:fs/promises';
import { errorCode } from '../../foundation/error-code.ts';

export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
  return !/^[ZX]/.test((await statusOf(pid))[0] ?? '');
}

/** Identifies a living process, and no later process with the same id. Without /proc the result is only the id. */
export async function nameOfProcess(pid: number): Promise<string> {
  return [pid, (await statusOf(pid))[BIRTH]].filter((part) => part !== undefined).join('-');
}

/** Returns true for the name of a process that still runs. */
export async function isNamedAlive(name: string): Promise<boolean> {
  const pid = Number.parseInt(name, 10);
  return (await isAlive(pid)) && (await nameOfProcess(pid)) === name;
}

/** The index of the field `starttime` in /proc/PID/stat, in clock ticks since boot. */
const BIRTH = 19;

/** Returns the words of /proc/PID/stat from the state on, after the program's name, which may contain any character. */
async function statusOf(pid: number): Promise<readonly string[]> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return status === '' ? [] : status.slice(status.lastIndexOf(')') + 2).split(' ');
}

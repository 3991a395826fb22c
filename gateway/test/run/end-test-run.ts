/** Ends every process of a test run, no matter what it does and which process started it, and removes the run's files. */
import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { listRootHomes, removeRootHome } from '../../src/storage/embedded/root-home.ts';
import { memoryFolderOf } from './memory-folder.ts';

const LOOK_EVERY_MS = 50;
/** PostgreSQL leaves shared memory behind if it is killed immediately. */
const KILLED_AFTER_MS = 3_000;
const GIVEN_UP_AFTER_MS = 15_000;

export async function endTestRun(folder: string): Promise<void> {
  const homes = (await listRootHomes()).filter(({ origin }) => origin?.dataDirectory.startsWith(`${folder}/`));
  const names = [basename(folder), ...homes.map((home) => home.folder)];
  for (let waitedMs = 0; waitedMs < GIVEN_UP_AFTER_MS; waitedMs += LOOK_EVERY_MS) {
    const left = await processesOf(names);
    if (left.length === 0) break;
    for (const { pid, isServer } of left) signal(pid, isServer && waitedMs < KILLED_AFTER_MS ? 'SIGQUIT' : 'SIGKILL');
    await sleep(LOOK_EVERY_MS);
  }
  for (const home of homes) await removeRootHome(home.folder);
  for (const path of [memoryFolderOf(folder), folder]) await rm(path, { recursive: true, force: true });
}

interface RunProcess {
  readonly pid: number;
  /** True for a PostgreSQL process. No other process has its working folder in a cluster's folder. */
  readonly isServer: boolean;
}

/** Returns every other process that has one of `names` in its environment, its command or its working folder. */
export async function processesOf(names: readonly string[]): Promise<RunProcess[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(pids.map((pid) => processOf(pid, names)));
  return found.filter((process) => process !== undefined);
}

async function processOf(pid: number, names: readonly string[]): Promise<RunProcess | undefined> {
  if (pid === process.pid) return undefined;
  const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'latin1').catch(() => '');
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => '');
  const texts = [folder, await read('environ'), await read('cmdline')];
  if (!names.some((name) => texts.some((text) => text.includes(name)))) return undefined;
  return { pid, isServer: names.some((name) => folder.includes(name)) && (await read('comm')).startsWith('postgres') };
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has already ended.
  }
}

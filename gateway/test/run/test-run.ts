/**
 * The resources of a test run and their cleanup: files in one folder, processes that name that folder, and databases whose
 * data directory is in it. A keeper process in a separate session removes them once the runner stops or is killed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

const KEEPER = join(import.meta.dirname, 'run-keeper.ts');
const PARENT_LOOK_MS = 250;

interface TestRun {
  /** The folder for temporary files of processes started later, which get it as TMPDIR. */
  readonly folder: string;
  /** Resolves once everything of the run is removed. */
  end(): Promise<void>;
}

export async function beginTestRun(): Promise<TestRun> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-test-'));
  const keeper = spawn(process.execPath, [KEEPER, folder], { detached: true, stdio: ['pipe', 'ignore', 'inherit'] });
  const gone = once(keeper, 'exit');
  process.env['TMPDIR'] = folder;
  return { folder, end: () => endKeeper(keeper, gone) };
}

/**
 * Ends everything that the run started, on SIGINT or SIGTERM, or when the parent process or the reader of its output has
 * ended.
 */
export function endOnSignal(testRun: TestRun): void {
  const end = async (signal: 'SIGINT' | 'SIGTERM') => {
    await testRun.end();
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end(signal));
  process.stdout.on('error', () => process.kill(process.pid, 'SIGTERM'));
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && process.kill(process.pid, 'SIGTERM'), PARENT_LOOK_MS).unref();
}

async function endKeeper(keeper: ChildProcess, gone: Promise<unknown>): Promise<void> {
  keeper.stdin?.end();
  await gone;
}

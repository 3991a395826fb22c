/**
 * The resources of a test run, and how all of them end: files in one folder, processes that name that folder,
 * databases whose data directory is in it. A keeper in its own session removes them once the runner stops or is
 * killed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const KEEPER = join(import.meta.dirname, 'run-keeper.ts');

export interface TestRun {
  /** The folder for temporary files of the processes spawned afterwards; they see it as TMPDIR. */
  readonly folder: string;
  /** Resolves once nothing of the run is left. */
  end(): Promise<void>;
}

export async function beginTestRun(): Promise<TestRun> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-test-'));
  const keeper = spawn(process.execPath, [KEEPER, folder], { detached: true, stdio: ['pipe', 'ignore', 'inherit'] });
  const gone = once(keeper, 'exit');
  process.env['TMPDIR'] = folder;
  return { folder, end: () => endKeeper(keeper, gone) };
}

async function endKeeper(keeper: ChildProcess, gone: Promise<unknown>): Promise<void> {
  keeper.stdin?.end();
  await gone;
}

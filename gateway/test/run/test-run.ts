/**
 * What a test run leaves on the machine while it lasts, and how all of it goes: files in one folder, processes that name
 * that folder, databases whose data directory lies in it. A keeper in a session of its own ends all of this once the
 * runner lets go of it, by its own will or because it was killed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const KEEPER = join(import.meta.dirname, 'run-keeper.ts');

export interface TestRun {
  /** Where the processes spawned from here on keep temporary files; they know it as TMPDIR. */
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

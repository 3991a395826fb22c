/** A test run that is interrupted or killed leaves nothing behind on the machine. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { listRootHomes } from '../../src/storage/embedded/root-home.ts';
import { until } from '../support/tools/until.ts';
import { processesOf } from './end-test-run.ts';
import { memoryFolderOf } from './memory-folder.ts';

const ROOT = join(import.meta.dirname, '../../..');
const WHOLE_RUN = ['gateway/test/run/test.ts', 'gateway/test/run/endless.ts'];
const SMALL_RUN = ['gateway/test/run/small-run.ts'];
const STARTS_WITHIN_MS = 120_000;
const ENDS_WITHIN_MS = 30_000;

interface Interrupted {
  readonly launcher: ChildProcess;
  /** The process that runs the tests. The launcher started it. */
  readonly runner: number;
}

interface Interruption {
  act(run: Interrupted): void;
  readonly exitCode?: number;
  readonly command?: readonly string[];
}

/** Without a database, a run starts within a second. */
const SIGNAL_COMMAND = process.env['TEST_FULL'] ? WHOLE_RUN : SMALL_RUN;
const INTERRUPTIONS: Readonly<Record<string, Interruption>> = {
  'SIGINT to npm’s process': {
    act: ({ launcher }) => launcher.kill('SIGINT'),
    exitCode: 130,
    command: SIGNAL_COMMAND,
  },
  'SIGTERM to npm’s process': {
    act: ({ launcher }) => launcher.kill('SIGTERM'),
    exitCode: 143,
    command: SIGNAL_COMMAND,
  },
  'kill -9 of npm’s process': { act: ({ launcher }) => launcher.kill('SIGKILL') },
  'kill -9 of the process that runs the tests': { act: ({ runner }) => process.kill(runner, 'SIGKILL') },
};

describe('an interrupted test run', { concurrency: 2 }, () => {
  for (const [name, { act, exitCode, command = WHOLE_RUN }] of Object.entries(INTERRUPTIONS)) {
    it(`a test run interrupted by ${name} leaves no process, server or file behind`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'interrupted-'));
      const env: NodeJS.ProcessEnv = { ...process.env, TMPDIR: folder };
      // With this variable the runner would consider itself part of this run, and run nothing.
      delete env['NODE_TEST_CONTEXT'];
      const launcher = spawn(process.execPath, ['bootstrap.mjs', ...command], { cwd: ROOT, env, stdio: 'ignore' });
      const exited = once(launcher, 'exit');
      const { runner, memoryFolder } = await until('the endless test to run', () => runIn(folder), STARTS_WITHIN_MS);
      act({ launcher, runner });
      await until('everything to end', () => isGone(folder), ENDS_WITHIN_MS);
      const [code] = await exited;
      if (exitCode !== undefined) assert.equal(code, exitCode);
      await assert.rejects(stat(memoryFolder), { code: 'ENOENT' });
      await rm(folder, { recursive: true });
    });
  }
});

/** Returns the process id and the memory folder of the nested run, once its test has started all its processes. */
function runIn(folder: string): { runner: number; memoryFolder: string } | undefined {
  const [file] = globSync('*/runner', { cwd: folder });
  if (file === undefined) return undefined;
  const runner = Number(readFileSync(join(folder, file), 'utf8'));
  return { runner, memoryFolder: memoryFolderOf(dirname(join(folder, file))) };
}

async function isGone(folder: string): Promise<boolean> {
  const processes = await processesOf([basename(folder)]);
  const homes = (await listRootHomes()).filter(({ origin }) => origin?.dataDirectory.startsWith(folder));
  return processes.length === 0 && homes.length === 0 && (await readdir(folder)).length === 0;
}

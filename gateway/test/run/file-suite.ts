/**
 * A test file as a suite of the process that it shares (file-queue.ts).
 *
 * Node's test runner follows every promise of its process, to know the test that a promise belongs to. It needs that
 * while a file declares its tests. While they run, it would take a seventh of the CPU time of a gateway in this
 * process, so it is paused then. An exception that no test catches ends the process, because no test could be named.
 */
import asyncHooks, { type AsyncHook } from 'node:async_hooks';
import { flushCompileCache } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openQueue } from './file-queue.ts';

const CLOSES_WITHIN_MS = 30_000;
const FILE_ENDS_WITHIN_MS = process.env['TEST_FULL'] ? 3_590_000 : 590_000;

const { createHook } = asyncHooks;
/** Undefined in a version of Node whose test runner does without. */
let following: AsyncHook | undefined;
Object.assign(asyncHooks, { createHook: createAndKeepFirst });
// The runner takes `createHook` at its first import.
const { describe } = await import('node:test');

/** Runs the files of the queue in `folder`, until it is empty. */
export async function runQueue(folder: string): Promise<void> {
  const queue = openQueue(folder);
  for (let file = queue.take(); file !== undefined; file = queue.take()) {
    await runFileAsSuite(file);
    queue.end(file);
  }
  endOpenProcess();
}

/** A gateway in this process may catch the SIGTERM of the run, so a file's time limit is kept here. */
async function runFileAsSuite(file: string): Promise<void> {
  const late = setTimeout(() => {
    console.error(`${file} did not end within ${FILE_ENDS_WITHIN_MS / 1_000} s. Open: ${openResources()}`);
    process.exit(1);
  }, FILE_ENDS_WITHIN_MS);
  following?.enable();
  await describe(file, async () => {
    await import(pathToFileURL(resolve(file)).href);
    // In a fresh clone the other processes then find what this one compiled. Node writes it only at an orderly end.
    flushCompileCache();
    if (following === undefined) return;
    following.disable();
    process.on('uncaughtException', endWithFailure).on('unhandledRejection', endWithFailure);
  });
  process.off('uncaughtException', endWithFailure).off('unhandledRejection', endWithFailure);
  clearTimeout(late);
}

/**
 * Ends a process whose tests have ended and that something keeps open, and prints what does. A file whose
 * `before` failed leaves its servers open, for example. Without this, the run would wait for the file's time limit.
 */
function endOpenProcess(): void {
  const end = () => {
    console.error(`The tests have ended and left open: ${openResources()}`);
    process.exit(1);
  };
  setTimeout(end, CLOSES_WITHIN_MS).unref();
}

function openResources(): string {
  return process.getActiveResourcesInfo().join(', ');
}

function createAndKeepFirst(callbacks: Parameters<typeof createHook>[0]): AsyncHook {
  Object.assign(asyncHooks, { createHook });
  following = createHook(callbacks);
  return following;
}

function endWithFailure(error: unknown): void {
  console.error(error);
  process.exit(1);
}

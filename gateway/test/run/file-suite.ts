/**
 * Runs a test file as a suite of a shared process (file-queue.ts).
 *
 * Node's test runner tracks every promise of its process, to know which test created it. It needs that only while a file
 * declares its tests. While they run, tracking would take a seventh of the CPU time of a gateway in this process, so it is
 * paused. An exception that no test catches then ends the process, because it cannot be attributed to a test.
 */
import asyncHooks, { type AsyncHook } from 'node:async_hooks';
import { flushCompileCache } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openQueue } from './file-queue.ts';

const CLOSES_WITHIN_MS = 30_000;
const FILE_ENDS_WITHIN_MS = process.env['TEST_FULL'] ? 3_590_000 : 590_000;

const { createHook } = asyncHooks;
/** Undefined in a version of Node whose test runner does not track promises. */
let following: AsyncHook | undefined;
Object.assign(asyncHooks, { createHook: createAndKeepFirst });
// The runner reads `createHook` at its first import.
const { describe } = await import('node:test');

/** Runs the files of the queue in `folder` until it is empty. */
export async function runQueue(folder: string): Promise<void> {
  const queue = openQueue(folder);
  for (let file = queue.take(); file !== undefined; file = queue.take()) {
    await runFileAsSuite(file);
    queue.end(file);
  }
  endOpenProcess();
}

/** Enforces a file's time limit here, because a gateway in this process may catch the SIGTERM of the run. */
async function runFileAsSuite(file: string): Promise<void> {
  const late = setTimeout(() => {
    console.error(`${file} did not end within ${FILE_ENDS_WITHIN_MS / 1_000} s. Open: ${openResources()}`);
    process.exit(1);
  }, FILE_ENDS_WITHIN_MS);
  following?.enable();
  await describe(file, async () => {
    await import(pathToFileURL(resolve(file)).href);
    // Share compiled code with the other processes. Node writes the cache only at a normal exit.
    flushCompileCache();
    if (following === undefined) return;
    following.disable();
    process.on('uncaughtException', endWithFailure).on('unhandledRejection', endWithFailure);
  });
  process.off('uncaughtException', endWithFailure).off('unhandledRejection', endWithFailure);
  clearTimeout(late);
}

/**
 * Ends a process whose tests have ended but which stays open, and prints the open resources. For example, a file whose
 * `before` failed leaves its servers open. Otherwise the run would wait for the file's time limit.
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

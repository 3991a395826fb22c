/**
 * `npm test` runs every `*.test.ts` of every workspace, with one summary at the end. Files share processes (file-queue.ts).
 * `npm test -- ledger payouts/` runs the files whose path contains one of the words; `--grep NAME` runs the tests whose name
 * matches. `npm run test:full` (`--full`) also runs slow tests: every payer walk in every language, size and mode, and the
 * files named `*.full.test.ts`.
 */
import { globSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { bundleGateway } from './bundle-gateway.ts';
import { openQueue, writeQueue } from './file-queue.ts';
import { type RunOptions, runNamed } from './run-named.ts';
import { beginTestRun, endOnSignal } from './test-run.ts';
import { startTestServer } from './test-server.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** Slow tests, whose faults other tests detect more directly. */
const FULL_ONLY = '.full.test.ts';
const WORKSPACES = ['gateway', 'rail-simulators', 'demo', 'docs-site', 'sandbox', 'portal'];
/**
 * More than the number of cores, because a file also waits; but not many more, because each process compiles the gateway's
 * code itself.
 */
const CONCURRENCY = 4;
/** Most objects of a test are short-lived. A larger young generation takes 6% less CPU time. */
const NODE_FLAGS = ['--max-semi-space-size=64'];
/** The fraction of a run after which no wide file begins. */
const WIDE_ENDS = 0.5;
/** Tests of a complete gateway, the demo, the sandbox, the docs site, and the simulators as processes. */
const WIDE = /^(?:gateway|demo|sandbox|docs-site)\/test\/|^rail-simulators\/src\/main/;
/** Tests that replace modules and therefore need a separate process. */
const ALONE = /^gateway\/test\/plans\//;
/**
 * A time limit, because a process that ended may leave a child with its output open, for which the runner would wait forever.
 */
const RUN_ENDS_MS = { core: 2_700_000, full: 21_600_000 };

/** Variables of a developer's shell that tests must not see. */
const FOREIGN = /^(?:PG|GATEWAY_|DATABASE_URL$|HOST$|PORT$)/;

/** A word that equals the path of a file selects that file, whatever its name. */
function findTestFiles(words: readonly string[]): string[] {
  const wanted = words.map((word) => relative(ROOT, join(ROOT, word)));
  const named = wanted.filter((word) => statSync(join(ROOT, word), { throwIfNoEntry: false })?.isFile());
  const found = globSync(
    WORKSPACES.map((workspace) => `${workspace}/**/*.test.ts`),
    { cwd: ROOT, exclude: (name) => name === 'node_modules' },
  )
    .filter((file) => process.env['TEST_FULL'] || !file.endsWith(FULL_ONLY))
    .filter((file) => words.length === 0 || wanted.some((word) => file.includes(word)));
  return [...new Set([...named, ...found])].sort().map((file) => join(ROOT, file));
}

function isOf(kind: RegExp): (file: string) => boolean {
  return (file) => kind.test(relative(ROOT, file));
}

/**
 * The same order in every run. Wide tests take longest, so they start first, and small files fill the end. Files of one folder
 * are spread, because they compete for the same resources.
 */
function inOrder(wide: readonly string[], narrow: readonly string[]): string[] {
  const placed = (list: readonly string[], end: number) =>
    spread(list).map((file, index) => ({ file, at: (index / list.length) * end }));
  return [...placed(wide, WIDE_ENDS), ...placed(narrow, 1)]
    .sort((one, other) => one.at - other.at)
    .map(({ file }) => file);
}

function spread(files: readonly string[]): string[] {
  const step = Math.ceil(Math.sqrt(files.length));
  return Array.from({ length: step }, (_, first) => files.filter((_, index) => index % step === first)).flat();
}

/**
 * Returns the test files for Node's runner. Without a name pattern, files share processes. With one they do not, because Node
 * would report each file without a matching test as a suite.
 */
async function inProcesses(files: readonly string[], namePattern: string | undefined, queue: string) {
  const alone = files.filter(isOf(ALONE));
  const together = files.filter((file) => !alone.includes(file));
  const wide = together.filter(isOf(WIDE));
  const narrow = together.filter((file) => !wide.includes(file));
  const queued = inOrder(wide, narrow);
  if (namePattern !== undefined) return [...alone, ...queued];
  const named = queued.map((file) => relative(ROOT, file));
  return [...alone, ...(await writeQueue(named, CONCURRENCY, queue))];
}

/** Resolves to true if tests ran, none failed, and every file contained one (Node reports an empty file as passed). */
async function runQueued(files: readonly string[], runnables: readonly string[], queue: string): Promise<boolean> {
  const events = run(optionsOf(runnables));
  endLate(queue);
  let passed = 0;
  let failed = 0;
  const empty: string[] = [];
  const paths = new Set(files.flatMap((file) => [file, relative(ROOT, file)]));
  let children = 0;
  events.on('test:pass', ({ name, nesting }) => {
    if (nesting > 0) children++;
    else if (paths.has(name) && children === 0) empty.push(name);
    else passed++;
    if (nesting === 0) children = 0;
  });
  events.on('test:fail', ({ nesting }) => {
    failed++;
    if (nesting === 0) children = 0;
  });
  events.compose(spec).pipe(process.stdout);
  await finished(events);
  for (const file of empty) console.error(`${file} holds no test.`);
  return passed > 0 && failed === 0 && empty.length === 0;
}

function optionsOf(runnables: readonly string[]): RunOptions {
  const timeout = process.env['TEST_FULL'] ? RUN_ENDS_MS.full : RUN_ENDS_MS.core;
  return { files: [...runnables], cwd: ROOT, concurrency: CONCURRENCY, execArgv: NODE_FLAGS, timeout };
}

/** Ends a run that exceeds its time limit, and lists the files that it waits for. */
function endLate(queue: string): void {
  const limitMs = process.env['TEST_FULL'] ? RUN_ENDS_MS.full : RUN_ENDS_MS.core;
  const end = () => {
    console.error(`The run did not end within ${limitMs / 60_000} minutes. Not ended:`);
    for (const file of openQueue(queue).running()) console.error(`  ${file}`);
    process.kill(process.pid, 'SIGTERM');
  };
  setTimeout(end, limitMs).unref();
}

async function main(): Promise<boolean> {
  const options = { grep: { type: 'string' }, full: { type: 'boolean' } } as const;
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  if (values.full) process.env['TEST_FULL'] = 'yes';
  const files = findTestFiles(positionals);
  if (files.length === 0) {
    console.error(`No test file matches ${positionals.join(' ') || WORKSPACES.join(', ')}.`);
    return false;
  }
  for (const name of Object.keys(process.env)) if (FOREIGN.test(name)) delete process.env[name];
  const testRun = await beginTestRun();
  endOnSignal(testRun);
  try {
    // A nested run reuses the bundle of the outer run.
    process.env['TEST_GATEWAY_ENTRY'] ??= await bundleGateway(testRun.folder);
    await startTestServer(testRun.folder);
    const queue = join(testRun.folder, 'queue');
    const runnables = await inProcesses(files, values.grep, queue);
    return await (values.grep === undefined
      ? runQueued(files, runnables, queue)
      : runNamed(values.grep, optionsOf(runnables)));
  } finally {
    await testRun.end();
  }
}

process.exitCode = (await main()) ? 0 : 1;

/**
 * `npm test`: every `*.test.ts` of every workspace, each file in a process of its own, one summary at the end.
 * `npm test -- ledger payouts/` runs the files whose path holds one of the words; `--grep NAME` the tests of that name.
 * `npm run test:full` (`--full`) also runs what takes long: every walk of a payer in every language, size and way.
 */
import { globSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { join, relative } from 'node:path';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { beginTestRun, type TestRun } from './test-run.ts';
import { startTestServer } from './test-server.ts';

const ROOT = join(import.meta.dirname, '../../..');
const WORKSPACES = ['gateway', 'rail-simulators', 'demo'];
/** More than cores: most of the time a file waits for something, and not for the machine. */
const CONCURRENCY = 6;
/** At which part of a run the last of the wide files begins. */
const WIDE_ENDS = 0.8;
/** Tests of a whole gateway, of the demo and of its simulators as processes. */
const WIDE = /^(?:gateway|demo)\/test\/|^rail-simulators\/src\/main/;
const TIMEOUT_MS = { core: 600_000, full: 3_600_000 };

const PARENT_LOOK_MS = 250;

/** What a developer's shell may hold and a test must not see. */
const FOREIGN = /^(?:PG|GATEWAY_|DATABASE_URL$|HOST$|PORT$)/;

/** A word that is the whole path of a file is that file, whatever it is called. */
function findTestFiles(words: readonly string[]): string[] {
  const wanted = words.map((word) => relative(ROOT, join(ROOT, word)));
  const named = wanted.filter((word) => statSync(join(ROOT, word), { throwIfNoEntry: false })?.isFile());
  const found = globSync(
    WORKSPACES.map((workspace) => `${workspace}/**/*.test.ts`),
    { cwd: ROOT, exclude: (name) => name === 'node_modules' },
  ).filter((file) => words.length === 0 || wanted.some((word) => file.includes(word)));
  return [...new Set([...named, ...found])].sort().map((file) => join(ROOT, file));
}

/**
 * The same on every run. What is tested across folders takes longest: it is over before the small files are, which fill the
 * end. Files of one folder lie apart: they work, or wait for the same, at the same time.
 */
function inOrder(files: readonly string[]): string[] {
  const isWide = (file: string) => WIDE.test(relative(ROOT, file));
  const placed = (list: readonly string[], end: number) =>
    spread(list).map((file, index) => ({ file, at: (index / list.length) * end }));
  const wide = files.filter(isWide);
  const narrow = files.filter((file) => !isWide(file));
  return [...placed(wide, WIDE_ENDS), ...placed(narrow, 1)]
    .sort((one, other) => one.at - other.at)
    .map(({ file }) => file);
}

function spread(files: readonly string[]): string[] {
  const step = Math.ceil(Math.sqrt(files.length));
  return Array.from({ length: step }, (_, first) => files.filter((_, index) => index % step === first)).flat();
}

/** Resolves to true when tests were run, none failed, and no file was without one (node reports such a file as passed). */
async function runTests(files: string[], namePattern: string | undefined): Promise<boolean> {
  const events = run({
    files,
    cwd: ROOT,
    concurrency: CONCURRENCY,
    timeout: process.env['TEST_FULL'] ? TIMEOUT_MS.full : TIMEOUT_MS.core,
    ...(namePattern === undefined ? {} : { testNamePatterns: [namePattern] }),
  });
  let passed = 0;
  let failed = 0;
  const empty: string[] = [];
  events.on('test:pass', ({ name }) => (files.includes(name) ? empty.push(name) : passed++));
  events.on('test:fail', () => failed++);
  events.compose(spec).pipe(process.stdout);
  await finished(events);
  if (namePattern === undefined) for (const file of empty) console.error(`${file} holds no test.`);
  else if (passed + failed === 0) console.error(`No test is named ${namePattern}.`);
  return passed > 0 && failed === 0 && (namePattern !== undefined || empty.length === 0);
}

/** On SIGINT and SIGTERM, and when nobody is left who could send one or read, everything that the run started ends with it. */
function endOnSignal(testRun: TestRun): void {
  const end = async (signal: 'SIGINT' | 'SIGTERM') => {
    await testRun.end();
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end(signal));
  process.stdout.on('error', () => process.kill(process.pid, 'SIGTERM'));
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && process.kill(process.pid, 'SIGTERM'), PARENT_LOOK_MS).unref();
}

async function main(): Promise<boolean> {
  const options = { grep: { type: 'string' }, full: { type: 'boolean' } } as const;
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const files = inOrder(findTestFiles(positionals));
  if (files.length === 0) {
    console.error(`No test file matches ${positionals.join(' ') || WORKSPACES.join(', ')}.`);
    return false;
  }
  for (const name of Object.keys(process.env)) if (FOREIGN.test(name)) delete process.env[name];
  if (values.full) process.env['TEST_FULL'] = 'yes';
  const testRun = await beginTestRun();
  endOnSignal(testRun);
  try {
    await startTestServer(testRun.folder);
    return await runTests(files, values.grep);
  } finally {
    await testRun.end();
  }
}

process.exitCode = (await main()) ? 0 : 1;

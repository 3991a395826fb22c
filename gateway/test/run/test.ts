/**
 * `npm test`: every `*.test.ts` of every workspace, each file in a process of its own, one summary at the end.
 * `npm test -- ledger payouts/` runs the files whose path holds one of the words; `--grep NAME` the tests of that name.
 */
import { globSync } from 'node:fs';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';

const ROOT = join(import.meta.dirname, '../../..');
const WORKSPACES = ['gateway', 'rail-simulators', 'demo'];
const CONCURRENCY = 2;
const TIMEOUT_MS = 600_000;

/** What a developer's shell may hold and a test must not see. */
const FOREIGN = /^(?:PG|GATEWAY_|DATABASE_URL$|HOST$|PORT$)/;

function findTestFiles(words: readonly string[]): string[] {
  return globSync(
    WORKSPACES.map((workspace) => `${workspace}/**/*.test.ts`),
    { cwd: ROOT, exclude: (name) => name === 'node_modules' },
  )
    .filter((file) => words.length === 0 || words.some((word) => file.includes(relative(ROOT, join(ROOT, word)))))
    .sort()
    .map((file) => join(ROOT, file));
}

function runTests(files: string[], namePattern: string | undefined): void {
  const abort = new AbortController();
  let executed = 0;
  const events = run({
    files,
    cwd: ROOT,
    concurrency: CONCURRENCY,
    timeout: TIMEOUT_MS,
    globalSetupPath: join(import.meta.dirname, 'global-setup.ts'),
    signal: abort.signal,
    ...(namePattern === undefined ? {} : { testNamePatterns: [namePattern] }),
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => abort.abort(signal));
  events.on('test:fail', () => {
    process.exitCode = 1;
  });
  events.on('test:summary', ({ counts }) => {
    executed = Math.max(executed, counts.passed + counts.failed);
  });
  events.on('close', () => {
    if (executed > 0) return;
    console.error('No test was run.');
    process.exitCode = 1;
  });
  events.compose(spec).pipe(process.stdout);
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { grep: { type: 'string' } } });
for (const name of Object.keys(process.env)) if (FOREIGN.test(name)) delete process.env[name];
const files = findTestFiles(positionals);
if (files.length === 0) {
  console.error(`No test file matches ${positionals.join(' ') || WORKSPACES.join(', ')}.`);
  process.exitCode = 1;
} else {
  runTests(files, values.grep);
}

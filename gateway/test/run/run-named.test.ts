import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';

const RUN_NAMED = pathToFileURL(join(import.meta.dirname, 'run-named.ts')).href;
/** A run takes less than a second, but an open server would keep it running forever. */
const ENDS_WITHIN_MS = 60_000;

const FILES: Readonly<Record<string, string>> = {
  // Like the tests of a gateway: `before` opens a server, and `after` closes it.
  'server.test.mjs': `
    import { createServer } from 'node:http';
    import { setTimeout as sleep } from 'node:timers/promises';
    import { after, before, describe, it } from 'node:test';
    let server;
    before(async () => { await sleep(50); server = createServer().listen(0); });
    after(() => server.close());
    describe('a server', () => { it('opens', () => {}); it('breaks', () => { throw new Error('planted'); }); });`,
  'plain.test.mjs': `import { it } from 'node:test'; it('adds', () => {});`,
  'unreadable.test.mjs': `throw new Error('planted');`,
  'run.mjs': `
    import { runNamed } from '${RUN_NAMED}';
    const [name, ...files] = process.argv.slice(2);
    process.exitCode = (await runNamed(name, { files: files.map((file) => import.meta.dirname + '/' + file) })) ? 0 : 1;`,
};

const CASES: Readonly<Record<string, { name: string; files: string[]; code: number; says: RegExp }>> = {
  'fails and says so when no file has a test of the name': {
    name: 'nothing',
    files: ['server.test.mjs'],
    code: 1,
    says: /^ℹ tests 0$[\s\S]*^ℹ fail 0$[\s\S]*^No test is named nothing\.$/m,
  },
  'passes when one file has a test of the name and another opens a server': {
    name: 'adds',
    files: ['server.test.mjs', 'plain.test.mjs'],
    code: 0,
    says: /^✔ adds [^\n]+\nℹ tests 1$/m,
  },
  'fails when a test of the name fails and when a file cannot be read': {
    name: 'opens|breaks',
    files: ['server.test.mjs', 'unreadable.test.mjs'],
    code: 1,
    says: /^ℹ pass 1$[\s\S]*^ℹ fail 2$/m,
  },
};

describe('a test run by name', { concurrency: true }, () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'run-named-'));
    for (const [file, text] of Object.entries(FILES)) await writeFile(join(folder, file), text);
  });
  after(() => rm(folder, { recursive: true }));

  for (const [what, { name, files, code, says }] of Object.entries(CASES))
    it(`a test run by name ${what}`, async () => {
      const { exit, output } = await runProgram(folder, name, files);
      assert.equal(exit, code, output);
      assert.match(output, says);
    });
});

function runProgram(folder: string, ...args: readonly (string | readonly string[])[]) {
  // With this variable the nested run would consider itself part of this run, and run nothing.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return new Promise<{ exit: unknown; output: string }>((resolve) => {
    const options = { cwd: folder, env, timeout: ENDS_WITHIN_MS };
    execFile(process.execPath, ['run.mjs', ...args.flat()], options, (error, stdout, stderr) =>
      resolve({ exit: error ? error.code : 0, output: stdout + stderr }),
    );
  });
}

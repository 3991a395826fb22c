/**
 * The programs in docs/merchant/signatures.md print the signatures in their comments, which equal the test vectors. If a
 * language is not installed, its program is reported as skipped, but its comments are still compared.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { allPages, onlyBlock, ROOT, readPage } from '../../generators/pages.ts';

interface Example {
  readonly language: string;
  readonly file: string;
  /** The required program and the command that runs the example. */
  readonly command: readonly [program: string, ...args: string[]];
  readonly probe: readonly string[];
  readonly needs?: string;
}

/** Options that minimise compilation, because each program runs only briefly. */
const QUICK_JAVA = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xshare:auto'] as const;

const EXAMPLES: readonly Example[] = [
  { language: 'sh', file: 'sign.sh', command: ['sh', 'sign.sh'], probe: ['-c', 'exit 0'], needs: 'openssl' },
  { language: 'js', file: 'sign.mjs', command: [process.execPath, 'sign.mjs'], probe: ['--version'] },
  { language: 'python', file: 'sign.py', command: ['python3', 'sign.py'], probe: ['--version'] },
  { language: 'php', file: 'sign.php', command: ['php', 'sign.php'], probe: ['--version'] },
  { language: 'go', file: 'sign.go', command: ['go', 'run', 'sign.go'], probe: ['version'] },
  {
    language: 'java',
    file: 'Signatures.java',
    command: ['java', ...QUICK_JAVA, 'Signatures.java'],
    probe: ['--version'],
  },
];

/** Filling an empty Go cache takes a minute of CPU time, so only test:full does it. */
const COMPILED = ['go', 'java'];

/** The results in the order in which each program prints them. */
const SHOWN = ['payout, card method', 'reply, success', 'reply, error (empty key)', 'host-to-host create'];

interface Vectors {
  readonly md5_sign: readonly { readonly name: string; readonly sign: string }[];
  readonly x_sign: readonly { readonly name: string; readonly body: string; readonly sign: string }[];
}

const vectors = JSON.parse(readFileSync(join(ROOT, 'openapi/vectors/signatures.json'), 'utf8')) as Vectors;
const expected = SHOWN.map((name) => {
  const vector = [...vectors.md5_sign, ...vectors.x_sign].find((one) => one.name === name);
  assert.ok(vector, `the vectors have "${name}"`);
  return vector.sign;
});

const page = readPage('docs/merchant/signatures.md');
let folder: string;

function runs(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

function whyNot({ command: [program], probe, needs }: Example): string | false {
  if (!runs(program, probe)) return `${program} is not on this machine`;
  return needs !== undefined && !runs(needs, ['version']) ? `${needs} is not on this machine` : false;
}

describe('the signature examples of the pages', () => {
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'signature-examples-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const example of EXAMPLES) {
    const { language, file, command } = example;

    test(`the comments of the signature program in ${language} equal the published vectors`, () => {
      const comments = [...onlyBlock(page, language).matchAll(/^\s*(?:\/\/|#) ([A-Za-z0-9+/]{20,}={0,2})$/gm)];
      assert.deepEqual(
        comments.map(([, sign]) => sign),
        expected,
      );
    });

    if (COMPILED.includes(language) && !process.env['TEST_FULL']) continue;
    test(`the signature program in ${language} prints the published vectors`, { skip: whyNot(example) }, () => {
      writeFileSync(join(folder, file), onlyBlock(page, language));
      const [program, ...args] = command;
      const printed = execFileSync(program, args, { cwd: folder, encoding: 'utf8' });
      assert.deepEqual(printed.trim().split('\n'), expected);
    });
  }
});

test('every signature on a merchants’ page is one of the vectors', () => {
  const known = new Set([...vectors.md5_sign, ...vectors.x_sign].map(({ sign }) => sign));
  for (const { path, text } of allPages().filter(({ path }) => path.startsWith('docs/merchant/'))) {
    const shown = text.match(/(?<![\w+/=])(?:[A-Za-z0-9+/]{64})?[A-Za-z0-9+/]{22}==/g) ?? [];
    for (const sign of shown) assert.ok(known.has(sign), `${path} shows ${sign}`);
  }
});

test('a page shows every X-Sign vector with the exact bytes that it signs', () => {
  const pages = ['host-to-host', 'signatures', 'status-balance-list'].map((name) =>
    readPage(`docs/merchant/${name}.md`),
  );
  for (const { name, body, sign } of vectors.x_sign)
    assert.ok(
      pages.some(({ text }) => text.includes(body) && text.includes(sign)),
      name,
    );
});

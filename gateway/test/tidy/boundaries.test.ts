/** The boundaries between folders, and `npm run check` on planted violations. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { findForbiddenImports } from './boundaries.ts';
import { ROOT } from './source-files.ts';

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'boundaries-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function plant(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

describe('the boundaries between directories', () => {
  it('the project has no forbidden import', () => {
    assert.deepEqual(findForbiddenImports(), []);
  });

  const forbidden = {
    'gateway/src/foundation/a.ts': "import type { M } from '../domain/merchants/merchant.ts';",
    'gateway/src/domain/a.ts': "import { x } from '../storage/database.ts';",
    'gateway/src/domain/payouts/a.ts': "import { x } from '../../rails/registry.ts';",
    'gateway/src/domain/payouts/deep/a.ts': "export { x } from '../../../protocol/x.ts';",
    'gateway/src/domain/b.ts': "import 'fastify';",
    'gateway/src/protocol/payout/a.ts': "import { x } from '../../storage/database.ts';",
    'gateway/src/protocol/payout/b.ts': "import pg from 'pg';",
    'gateway/src/rails/sandbox/a.ts': "const x = await import('../../worker/x.ts');",
    'gateway/src/storage/a.ts': "import { x } from './../cli/x.ts';",
    'gateway/src/worker/a.ts': "import {\n  x,\n} from '../protocol/x.ts';",
    'gateway/src/cli/commands/a.ts': "import { x } from '../../main/compose.ts';",
    'gateway/src/main/a.ts': "import { x } from '../../../demo/src/start.ts';",
    'gateway/contract/a.ts': "import { x } from '../src/foundation/money.ts';",
    'gateway/contract/b.ts': "import fastify from 'fastify';",
    'gateway/src/domain/people/a.ts': "import { x } from '../../../contract/endpoint.ts';",
    'gateway/src/main/b.ts': "import { x } from '../../test/support/postgres/postgres.ts';",
    'gateway/src/main/c.ts': "import { x } from './c.test.ts';",
    'gateway/src/main/d.ts': 'const x = await import(name);',
    'gateway/src/elsewhere/a.ts': 'export const x = 1;',
    'portal/src/a.tsx': "import { x } from './b';",
    'portal/src/c.ts': "import { x } from './b.js';",
    'demo/src/a.ts': "import { x } from '../../gateway/src/storage/database.ts';",
    'demo/src/b.ts': "import { x } from 'gateway/src/storage/database.ts';",
    'rail-simulators/src/a.ts': "import { x } from '../../gateway/src/foundation/clock.ts';",
    'rail-simulators/src/a.test.ts': "import { x } from '../../gateway/src/foundation/clock.ts';",
  };
  for (const [path, text] of Object.entries(forbidden)) {
    it(`an import is forbidden in ${path}: ${text.replaceAll('\n', ' ')}`, () => {
      plant(path, text);
      assert.equal(findForbiddenImports(root).length, 1);
    });
  }

  const allowed = {
    'gateway/src/domain/payouts/a.ts':
      "import { ok } from '../../foundation/result.ts';\nimport { x } from '../rails/x.ts';",
    'gateway/contract/a.ts': "import { Type } from 'typebox';\nimport { x } from './b.ts';",
    'gateway/src/protocol/manage/a.ts': "import { x } from '../../../contract/endpoint.ts';",
    'gateway/src/storage/embedded/a.ts': "import pg from 'pg';\nimport { x } from '../../domain/payouts/payout.ts';",
    'gateway/src/main/a.ts': "import { x } from '../storage/database.ts';\nimport { y } from '../rails/registry.ts';",
    'gateway/src/domain/a.test.ts': "import { x } from '../../test/support/postgres/postgres.ts';",
    'portal/src/a.tsx': "import './b.css';\nimport { x } from './b.tsx';",
    'gateway/bench/a.ts': "import { x } from '../../rail-simulators/src/main.ts';",
    'demo/src/a.ts': "import { x } from '../../gateway/src/main/compose.ts';",
  };
  for (const [path, text] of Object.entries(allowed)) {
    it(`an import is allowed in ${path}: ${text.replaceAll('\n', ' ')}`, () => {
      plant(path, text);
      assert.deepEqual(findForbiddenImports(root), []);
    });
  }
});

describe('npm run check', () => {
  /** The planted files of each violation, the only check that must fail, and how its output names the violation. */
  const offences: Record<string, [files: Record<string, string>, failing: string, named?: RegExp]> = {
    'an import that the table forbids': [
      { 'a.ts': "import { x } from '../../storage/x.ts';\n\nconsole.log(x);\n" },
      'boundaries',
    ],
    'an import cycle': [
      {
        'a.ts': "import { b } from './b.ts';\n\nexport const a = (): number => b();\n",
        'b.ts': "import { a } from './a.ts';\n\nexport const b = (): number => a();\n",
      },
      'cycles',
    ],
    'a cycle of type imports': [
      {
        'a.ts': "import type { B } from './b.ts';\n\nexport type A = B | 'a';\n",
        'b.ts': "import type { A } from './a.ts';\n\nexport type B = { readonly a: A };\n",
      },
      'cycles',
    ],
    'two folders that import each other': [
      {
        'left/a.ts': "import { d } from '../right/d.ts';\n\nexport const a = d;\n",
        'left/b.ts': 'export const b = 1;\n',
        'right/c.ts': "import { b } from '../left/b.ts';\n\nexport const c = b;\n",
        'right/d.ts': 'export const d = 1;\n',
      },
      'cycles',
    ],
    'a folder of more than 30 files': [
      Object.fromEntries(Array.from({ length: 31 }, (_, index) => [`a${index}.ts`, `export const a = ${index};\n`])),
      'figures',
      /^ +31 {2}files of the largest folder: more than 30$/m,
    ],
    any: [{ 'a.ts': 'export const a: any = 1;\n' }, 'biome'],
    'a non-null assertion': [{ 'a.ts': 'export const a = (b?: number): number => b!;\n' }, 'biome'],
    'another format': [{ 'a.ts': 'export const a = "1"\n' }, 'biome'],
    'a skipped test': [{ 'a.test.ts': "import { test } from 'node:test';\n\ntest.skip('a', () => {});\n" }, 'biome'],
    'a wrong type': [{ 'a.ts': "export const a: number = '1';\n" }, 'tsc'],
    'an unchecked index': [{ 'a.ts': 'export const a = (list: number[]): number => list[0];\n' }, 'tsc'],
  };
  const folderOf = (what: string) => `gateway/src/domain/${what.replaceAll(' ', '-')}`;

  /** Runs the check on a copy of its configuration and the named violations, each in a separate folder. */
  function check(planted: readonly string[]): { failed: string[]; outputOf(name: string): string } {
    const configuration = ['biome.json', 'tsconfig.json', 'package.json', '.gitignore', 'portal/tsconfig.json'];
    const itself = [
      'gateway/test/run/check.ts',
      'gateway/test/tidy/boundaries.ts',
      'gateway/test/tidy/house-figures.ts',
      'gateway/test/tidy/import-cycles.ts',
      'gateway/test/tidy/source-files.ts',
      'gateway/test/tidy/file-lists.ts',
      'docs/architecture/files-of-one-payment.md',
    ];
    for (const file of [...configuration, ...itself]) cpSync(join(ROOT, file), join(root, file));
    spawnSync('git', ['init', '-q'], { cwd: root });
    symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    plant('portal/src/x.ts', 'export const x = 1;\n');
    plant('gateway/src/storage/x.ts', 'export const x = 1;\n');
    plant('gateway/src/domain/clean/a.ts', 'export const a = 1;\n');
    for (const what of planted)
      for (const [name, text] of Object.entries(offences[what]?.[0] ?? {})) plant(`${folderOf(what)}/${name}`, text);
    const { status, stdout } = spawnSync(process.execPath, ['gateway/test/run/check.ts'], { cwd: root });
    const ends = [...stdout.toString().matchAll(/([\s\S]*?)^[✓✗] ([a-z ]+?)( failed)?$/gm)];
    const failed = ends.filter(([, , , fails]) => fails).map(([, , name = '']) => name);
    assert.equal(ends.length, 6, stdout.toString());
    assert.equal(status, failed.length === 0 ? 0 : 1);
    const outputs = new Map(ends.map(([, text = '', name = '']) => [name, text]));
    return { failed, outputOf: (name) => outputs.get(name) ?? '' };
  }

  it('npm run check passes without an offence', () => {
    assert.deepEqual(check([]).failed, []);
  });
  // Each check uses both cores for seconds.
  for (const what of process.env['TEST_FULL'] ? ['an import that the table forbids', 'a wrong type'] : []) {
    it(`npm run check reports ${what} in exactly one of its parts`, () => {
      assert.deepEqual(check([what]).failed, [offences[what]?.[1]]);
    });
  }
  it('npm run check reports each offence among others, from one of its parts', () => {
    const { outputOf } = check(Object.keys(offences));
    for (const [what, [, failing, named]] of Object.entries(offences)) {
      const offence = named ?? new RegExp(`${folderOf(what)}/`);
      const naming = ['biome', 'tsc', 'tsc of the pages', 'boundaries', 'cycles', 'figures'].filter((name) =>
        offence.test(outputOf(name)),
      );
      assert.deepEqual(naming, [failing], what);
    }
  });
});

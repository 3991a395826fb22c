/** The start of the programs under any version of Node, in a copy of the start files with packages that each test describes. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { PROJECT_ROOT } from '../../src/foundation/variables.ts';

interface Entry {
  readonly version?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly peer?: boolean;
}

type Packages = Record<string, Entry>;

const PROGRAMS = ['demo/src/start.ts', 'gateway/src/main/cli.ts', 'gateway/test/run/test.ts', 'gateway/bench/main.ts'];
const ENTRIES = [
  ['bootstrap.mjs', 'demo/src/start.ts'],
  ['bootstrap.mjs', 'gateway/test/run/test.ts'],
  ['gateway/bin/gateway.mjs', 'serve'],
] as const;

let folder: string;
let lockfile: Packages;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-start-'));
  for (const part of ['bootstrap.mjs', 'gateway/bin', 'package.json', 'package-lock.json'])
    await cp(join(PROJECT_ROOT, part), join(folder, part), { recursive: true });
  lockfile = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')).packages;
  for (const program of PROGRAMS) {
    await mkdir(join(folder, program, '..'), { recursive: true });
    await writeFile(join(folder, program), `console.log('ran ${program}');`);
  }
  await mkdir(join(folder, 'path'));
  await writeFile(join(folder, 'path/npm'), '#!/bin/sh\necho "npm $*"\nexit 3\n');
  await chmod(join(folder, 'path/npm'), 0o755);
});
after(() => rm(folder, { recursive: true }));

/** Writes npm's record of an installed tree with the entries that `keep` selects. The start script reads nothing else. */
async function install(
  keep: (entry: Entry) => boolean,
  change: (packages: Packages) => void = () => {},
): Promise<void> {
  const kept = Object.entries(lockfile).filter(([path, entry]) => path.startsWith('node_modules/') && keep(entry));
  const packages = Object.fromEntries(kept.map(([path, entry]) => [path, { ...entry }]));
  change(packages);
  await mkdir(join(folder, 'node_modules'), { recursive: true });
  await writeFile(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages }));
}

function run(
  args: readonly string[],
  preload?: string,
): Promise<{ stdout: string; stderr: string; code: number | null }> {
  const words = [...(preload === undefined ? [] : ['--require', preload]), ...args];
  const env = { HOME: process.env['HOME'], PATH: `${join(folder, 'path')}${delimiter}${process.env['PATH']}` };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, words, { cwd: folder, env }, (_error, stdout, stderr) =>
      resolve({ stdout, stderr, code: child.exitCode }),
    );
  });
}

const isDevelopment = ({ dev }: Entry) => dev === true;
const isOptional = ({ optional, devOptional }: Entry) => optional === true || devOptional === true;

describe('a script in a tree without development packages', () => {
  const trees: Record<string, (entry: Entry) => boolean> = {
    '--omit=dev': (entry) => !isDevelopment(entry),
    '--omit=dev --omit=optional': (entry) => !isDevelopment(entry) && !isOptional(entry),
  };
  for (const [omitted, keep] of Object.entries(trees)) {
    it(`a script runs and does not install anything after npm ci ${omitted}`, async () => {
      await install(keep);
      for (const program of ['demo/src/start.ts', 'gateway/src/main/cli.ts']) {
        assert.deepEqual(await run(['bootstrap.mjs', program]), { stdout: `ran ${program}\n`, stderr: '', code: 0 });
      }
    });

    it(`a script that needs development packages fails with one sentence after npm ci ${omitted}`, async () => {
      await install(keep);
      for (const program of ['gateway/test/run/test.ts', 'gateway/bench/main.ts']) {
        const { stdout, stderr, code } = await run(['bootstrap.mjs', program]);
        assert.deepEqual([stdout, code], ['', 1]);
        assert.match(stderr, /^The packages were installed without those for development.*\n$/);
      }
    });
  }

  it('a script fails with one sentence and installs nothing when the lockfile requires other packages', async () => {
    await install(
      (entry) => !isDevelopment(entry),
      (packages) => {
        packages['node_modules/fastify'] = { version: '1.0.0' };
      },
    );
    const { stdout, stderr, code } = await run(['bootstrap.mjs', 'gateway/src/main/cli.ts']);
    assert.deepEqual([stdout, code], ['', 1]);
    assert.match(stderr, /^The packages are not those of the lockfile: run "npm ci --omit=dev".*\n$/);
  });
});

it('a script installs the packages that are missing in its tree', async () => {
  const stale = (packages: Packages) => delete packages['node_modules/fastify'];
  for (const prepare of [
    () => install(() => true, stale),
    () => rm(join(folder, 'node_modules'), { recursive: true }),
  ]) {
    await prepare();
    const { stderr, code } = await run(['bootstrap.mjs', 'gateway/src/main/cli.ts']);
    assert.match(stderr, /Installing packages .*\nnpm ci --include=dev .*\nThe packages could not be installed/);
    assert.equal(code, 1);
  }
});

describe('a Node that is too old', () => {
  for (const version of ['12.22.12', '16.20.2', '18.20.8', '20.18.3']) {
    for (const entry of ENTRIES) {
      it(`a script on a Node version that is too old fails with one sentence: ${version}, ${entry.join(' ')}`, async () => {
        const preload = join(folder, 'old-node.cjs');
        const fake = (name: string, value: string) => `Object.defineProperty(${name}, { value: '${value}' });`;
        await writeFile(
          preload,
          [fake("process.versions, 'node'", version), fake("process, 'version'", `v${version}`)]
            .join('\n')
            .replaceAll(', {', ', {'),
        );
        assert.deepEqual(await run(entry, preload), {
          stdout: '',
          stderr: `Node 20.19 or newer is needed, and this is ${version}: https://nodejs.org has it.\n`,
          code: 1,
        });
      });
    }
  }

  it('a Node version that is too old loads only files that it can parse', async () => {
    for (const file of ['bootstrap.mjs', 'gateway/bin/gateway.mjs', 'gateway/bin/node-version.mjs']) {
      const text = await readFile(join(PROJECT_ROOT, file), 'utf8');
      const imported = [...text.matchAll(/^import .* from '(.*)';$/gm)].map(([, name]) => name?.split('/').at(-1));
      assert.deepEqual(
        imported.filter((name) => name !== 'node-version.mjs'),
        [],
        file,
      );
      assert.doesNotMatch(text, /\?\?|\?\.|\|\|=|&&=|^await |\bstatic \{|import\.meta|from 'node:/m, file);
    }
  });
});

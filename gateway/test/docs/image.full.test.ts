/**
 * Runs the steps of deploy/Dockerfile in folders instead of layers, because an image needs a Docker daemon. The result must
 * start in production and find every page. Only the first test needs the package registry.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { ROOT } from '../../generators/pages.ts';
import { RANDOM_LOOKING_KEY } from '../support/gateway/production.ts';
import { freePort } from '../support/gateway/running-gateway.ts';
import { createTestDatabase } from '../support/postgres/postgres.ts';
import { until } from '../support/tools/until.ts';

interface Stage {
  readonly name: string;
  readonly steps: readonly { readonly kind: string; readonly rest: string }[];
}

const STAGES: readonly Stage[] = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8')
  .replaceAll('\\\n', '')
  .split(/^FROM \S+/m)
  .slice(1)
  .map((text) => ({
    name: /^ AS (\w+)/.exec(text)?.[1] ?? 'image',
    steps: [...text.matchAll(/^(COPY|RUN|ENV) (.+)$/gm)].map(([, kind = '', rest = '']) => ({ kind, rest })),
  }));

const folder = mkdtempSync(join(tmpdir(), 'image-'));
const folderOf = (stage: string) => join(folder, stage);
const npm = join(folder, 'npm');
const variables = {
  // Excludes the variables of the npm that runs the tests.
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))),
  NPM_CONFIG_PREFIX: npm,
  PATH: [join(npm, 'bin'), dirname(process.execPath), process.env['PATH']].join(delimiter),
};

/** Copies like Docker: the content of a folder, or a file, into or as the target. */
function copy(rest: string, to: string): void {
  const [, stage, paths = ''] = /^(?:--from=(\w+) )?(.+)$/.exec(rest) ?? [];
  const words = paths.split(' ');
  const target = words.pop() ?? '';
  for (const word of words) {
    const source = stage === undefined ? join(ROOT, word) : join(folderOf(stage), word.replace(/^\/build\//, ''));
    const place = target.endsWith('/') ? join(to, target, basename(word)) : join(to, target);
    mkdirSync(dirname(place), { recursive: true });
    const isSent = (path: string) => stage !== undefined || !/\/(?:node_modules|dist)$/.test(path);
    cpSync(source, place, { recursive: true, filter: isSent, verbatimSymlinks: true });
  }
}

describe('the steps of the image', () => {
  after(() => rmSync(folder, { recursive: true }));

  test('each step of the image succeeds', () => {
    for (const { name, steps } of STAGES) {
      mkdirSync(folderOf(name));
      for (const { kind, rest } of steps) {
        if (kind === 'COPY') copy(rest, folderOf(name));
        if (kind === 'RUN') execFileSync('sh', ['-c', rest], { cwd: folderOf(name), env: variables, stdio: 'pipe' });
      }
    }
    assert.ok(existsSync(join(folderOf('image'), 'portal/dist/index.html')));
  });

  test('the image’s list of packages contains every package of the image, and no other', () => {
    const { components } = JSON.parse(readFileSync(join(folderOf('image'), 'sbom.json'), 'utf8')) as {
      components: readonly { group?: string; name: string }[];
    };
    const listed = new Set(components.map(({ group, name }) => (group ? `${group}/${name}` : name)));
    const top = join(folderOf('image'), 'node_modules');
    const installed = readdirSync(top).flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(top, name)).map((each) => `${name}/${each}`) : [name],
    );
    const packages = installed.filter((name) => existsSync(join(top, name, 'package.json')));
    assert.ok(packages.length > 100);
    assert.deepEqual(
      packages.filter((name) => !listed.has(name)),
      [],
    );
    for (const name of ['typescript', 'vite', '@biomejs/biome']) assert.ok(!listed.has(name), name);
  });

  test('the image runs in production and serves the portal pages', async () => {
    const database = await createTestDatabase();
    const [port, managePort, metricsPort] = [await freePort(), await freePort(), await freePort()];
    const child = spawn(process.execPath, ['gateway/src/main/cli.ts', 'serve'], {
      cwd: folderOf('image'),
      env: {
        NODE_ENV: 'production',
        GATEWAY_ENV: 'production',
        DATABASE_URL: database.connectionString,
        // The test database has no crash-safe WAL.
        GATEWAY_ALLOW_UNSAFE_COMMITS: 'yes',
        GATEWAY_ALLOW_PLAIN_DATABASE: 'yes',
        GATEWAY_MASTER_KEY: RANDOM_LOOKING_KEY,
        PUBLIC_URL: 'https://pay.example.com',
        MANAGE_ORIGIN: 'https://manage.example.com',
        TRUSTED_PROXIES: '127.0.0.1',
        PORT: String(port),
        MANAGE_PORT: String(managePort),
        METRICS_PORT: String(metricsPort),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const errors: string[] = [];
    child.stderr.on('data', (part: Buffer) => void errors.push(part.toString()));
    const exited = once(child, 'exit');
    try {
      await until('the image is ready', async () => {
        if (child.exitCode !== null) throw new Error(errors.join(''));
        return fetch(`http://127.0.0.1:${metricsPort}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        );
      });
      const page = await fetch(`http://127.0.0.1:${managePort}/`, { headers: { host: 'manage.example.com' } });
      assert.match(await page.text(), /<script/);
    } finally {
      child.kill('SIGTERM');
      assert.deepEqual(await exited, [0, null], errors.join(''));
      await database.close();
    }
  });
});

/**
 * The files in deploy/ match the gateway that they start: variables, commands, ports, packages and paths. This test does not
 * build the image, because that needs a Docker daemon. `image.full.test.ts` runs the build steps in folders.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { METRICS } from '../../generators/observability/metrics-list.ts';
import { observabilityFiles, RULES } from '../../generators/observability/observability-files.ts';
import { ROOT } from '../../generators/pages.ts';
import { helpOf } from '../../generators/tables/command-line.ts';
import { type EnvironmentVariables, readConfig, VARIABLES } from '../../src/main/config/config.ts';
import { ALERTS } from '../../src/main/observability/alert-kinds.ts';
import { PRODUCTION } from '../support/gateway/production.ts';

const fileOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const dockerfile = fileOf('deploy/Dockerfile');
const compose = fileOf('deploy/compose.yaml');

/** Runs `use` with a temporary folder. */
function inFolder<Value>(use: (folder: string) => Value): Value {
  const folder = mkdtempSync(join(tmpdir(), 'deployment-'));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Reads the variables of a deployment file. Its secrets are files. */
function readAs(variables: Readonly<Record<string, string>>, folder: string) {
  const values: EnvironmentVariables = Object.fromEntries(
    Object.entries(variables).map(([name, value]) => {
      if (!name.endsWith('_FILE')) return [name, value];
      const secret = PRODUCTION[name.replace(/_FILE$/, '').replace('BACKUP_', '') as keyof typeof PRODUCTION];
      const path = join(folder, name);
      writeFileSync(path, `${secret}\n`, { mode: 0o600 });
      return [name, path];
    }),
  );
  return readConfig(values);
}

describe('the image', () => {
  const stages = dockerfile.split(/^FROM /m).slice(1);
  const last = stages.at(-1) ?? '';

  test('the image copies only paths that exist, or that an earlier stage created', () => {
    const made = [...dockerfile.matchAll(/^COPY --from=\w+ \/build\/(\S+) /gm)].map(([, path]) => path);
    assert.deepEqual(made, ['node_modules', 'gateway/node_modules', 'sbom.json', 'portal/dist']);
    const sources = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = '']) =>
      paths.split(' '),
    );
    assert.ok(sources.length > 5);
    for (const source of sources) assert.ok(existsSync(join(ROOT, source)), source);
  });

  test('the image runs Node as an ordinary user and as the first process', () => {
    for (const stage of stages) assert.match(stage, /^node:(?:2[4-9]|[3-9]\d)\./);
    assert.match(last, /^USER node$/m);
    assert.match(last, /^ENTRYPOINT \["node", "gateway\/src\/main\/cli\.ts"\]$/m);
  });

  test('the copied files are enough for the command line, without development packages and the embedded PostgreSQL', () => {
    inFolder((folder) => {
      for (const [, sources = '', target = ''] of last.matchAll(/^COPY (?!--from)(.+) (\S+)$/gm))
        for (const source of sources.split(' ')) {
          const to = join(
            folder,
            target === './' || target.endsWith('/') ? join(target, source.split('/').at(-1) ?? '') : target,
          );
          mkdirSync(dirname(to), { recursive: true });
          cpSync(join(ROOT, source), to, { recursive: true });
        }
      linkPackages(folder);
      const variables = { PATH: process.env['PATH'] ?? '', GATEWAY_ENV: 'production' };
      const run = (...args: string[]) =>
        spawnSync(process.execPath, ['gateway/src/main/cli.ts', ...args], {
          cwd: folder,
          env: variables,
          encoding: 'utf8',
        });
      assert.match(run('--version').stdout, /\d+\.\d+\.\d+/);
      const refused = run('serve');
      assert.notEqual(refused.status, 0);
      assert.match(refused.stderr, /GATEWAY_MASTER_KEY is required in production/);
      assert.doesNotMatch(refused.stderr, /\n {4}at /);
    });
  });

  test('the image’s health check queries the operations listener', () => {
    assert.match(last, new RegExp(`127\\.0\\.0\\.1:${VARIABLES.METRICS_PORT.default}/healthz`));
  });
});

/** Links only the production packages: those in the lock file that are neither development nor optional dependencies. */
function linkPackages(folder: string): void {
  const { packages } = JSON.parse(fileOf('package-lock.json')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean; devOptional?: boolean; link?: boolean }>;
  };
  for (const [path, { dev, optional, devOptional, link }] of Object.entries(packages)) {
    if (dev || optional || devOptional || link || !/^(?:gateway\/)?node_modules\//.test(path)) continue;
    // A nested package is linked together with its parent.
    if (path.split('node_modules/').length > 2) continue;
    const to = join(folder, path);
    mkdirSync(dirname(to), { recursive: true });
    symlinkSync(join(ROOT, path), to);
  }
}

describe('compose.yaml', () => {
  const environment = /environment: &environment\n([\s\S]*?)\n {2}secrets:/.exec(compose)?.[1] ?? '';
  const variables = Object.fromEntries(
    [...environment.matchAll(/^ {4}(\w+): (.+)$/gm)].map(([, name = '', value = '']) => [
      name,
      value.replace(/^"(.*)"$/, '$1').replace(/\$\{\w+:-(.*)\}/, '$1'),
    ]),
  );

  test('the gateway starts in production with the variables of compose.yaml', () => {
    const image = Object.fromEntries(
      [...dockerfile.matchAll(/\b(GATEWAY_ENV|HOST|MANAGE_HOST)=(\S+)/g)].map(([, name, value]) => [name, value]),
    );
    const read = inFolder((folder) => readAs({ ...image, ...variables }, folder));
    assert.ok(read.ok, JSON.stringify(read));
    assert.equal(read.value.host, '0.0.0.0');
    assert.ok(read.value.databaseUrl && read.value.masterKey);
  });

  test('compose.yaml runs the migration before it starts one process per role', () => {
    const roles = [...compose.matchAll(/command: \[serve, --role, (\w+)\]/g)].map(([, role]) => role);
    assert.deepEqual(roles, ['api', 'worker', 'manage']);
    assert.match(compose, /command: \[migrate\]/);
    assert.match(compose, /migrate: \{ condition: service_completed_successfully \}/);
  });

  test('each secret of compose.yaml is defined, and the proxy has the trusted address', () => {
    const used = new Set([...compose.matchAll(/secrets: \[(.+)\]/g)].flatMap(([, names = '']) => names.split(', ')));
    const defined = [...compose.matchAll(/^ {2}(\w+): \{ file: \.\/secrets\/(\w+) \}$/gm)].map(
      ([, name]) => name ?? '',
    );
    assert.deepEqual([...used].sort(), defined.sort());
    assert.match(compose, new RegExp(`ipv4_address: ${variables['TRUSTED_PROXIES']}`));
  });

  test('each file that compose.yaml mounts exists', () => {
    const mounted = [...compose.matchAll(/["-] ?"?(\.\/[^:]+):\//g)].map(([, path = '']) => path);
    assert.ok(mounted.length >= 4, mounted.join());
    for (const path of mounted) assert.ok(existsSync(join(ROOT, 'deploy', path)), path);
  });

  test('the script for the database logins is valid shell and creates the logins of database.md', () => {
    execFileSync('sh', ['-n', join(ROOT, 'deploy/postgres/make-logins.sh')]);
    const page = fileOf('docs/operations/database.md');
    for (const line of fileOf('deploy/postgres/make-logins.sh').matchAll(/^(?:create|grant|revoke) .+;$/gm)) {
      const documented = line[0].replace(":'owner'", "'OWNER_PASSWORD'").replace(":'serve'", "'SERVE_PASSWORD'");
      assert.ok(page.includes(documented), documented);
    }
  });
});

const UNITS = readdirSync(join(ROOT, 'deploy/systemd'));

describe('the systemd units', () => {
  for (const name of UNITS.filter((each) => each.endsWith('.service'))) {
    const unit = fileOf(`deploy/systemd/${name}`);

    test(`the gateway starts in production with the variables of ${name}`, () => {
      const variables = Object.fromEntries(
        [...unit.matchAll(/^Environment=(\w+)=(.+)$/gm)].map(([, variable = '', value = '']) => [variable, value]),
      );
      const read = inFolder((folder) => readAs(variables, folder));
      assert.ok(read.ok, JSON.stringify(read));
      for (const [, credential = ''] of unit.matchAll(/^LoadCredential=(\w+):/gm))
        assert.ok(unit.includes(`=%d/${credential}`), credential);
    });

    test(`the command line has the commands of ${name}, with their options`, async () => {
      for (const [, words = ''] of unit.matchAll(/^ExecStart=\S+ \S+cli\.ts (.+)$/gm)) {
        const [command = '', ...options] = words.split(/ (?=--)/);
        const help = await helpOf(command.split(' '));
        for (const option of options) assert.match(help, new RegExp(`^ {2}${option.split(' ')[0]} `, 'm'), words);
      }
    });
  }

  const isMissing = spawnSync('systemd-analyze', ['--version']).status !== 0;
  test('systemd-analyze does not find an error in the units', {
    skip: isMissing && 'systemd-analyze is not installed',
  }, () => {
    const paths = UNITS.map((name) => join(ROOT, 'deploy/systemd', name));
    const { stderr } = spawnSync('systemd-analyze', ['verify', ...paths], { encoding: 'utf8' });
    assert.deepEqual(
      stderr
        .split('\n')
        .filter((line) => UNITS.some((name) => line.includes(name)) && !line.includes('is not executable')),
      [],
    );
  });
});

describe('Prometheus and Grafana', () => {
  test('rules.yml and the dashboard are current: npx node gateway/generators/observability/write-observability.ts', () => {
    for (const [path, text] of Object.entries(observabilityFiles())) assert.equal(fileOf(path), text, path);
  });

  const isMissing = spawnSync('promtool', ['--version']).status !== 0;
  test('promtool accepts rules.yml and prometheus.yml', { skip: isMissing && 'promtool is not installed' }, () => {
    const config = join(ROOT, 'deploy/prometheus/prometheus.yml');
    // Also checks the rule files that the configuration names.
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'config', config], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    assert.match(stdout, new RegExp(`${RULES.length} rules found`));
  });

  /** The symptoms of each runbook, by the anchor of its heading: the italic paragraph below it. */
  const symptoms = new Map(
    [...fileOf('docs/operations/runbooks.md').matchAll(/^## (.+)\n\n(?:\*([^*]+)\*$)?/gm)].map(
      ([, heading = '', text]) => [
        heading
          .toLowerCase()
          .replace(/[^a-z0-9 -]/g, '')
          .replaceAll(' ', '-'),
        text ?? '',
      ],
    ),
  );

  for (const [kind, { runbook }] of Object.entries(ALERTS))
    test(`the alert ${kind} has a runbook whose symptoms mention it`, () => {
      assert.ok(symptoms.get(runbook)?.includes(`\`${kind}\``), runbook);
    });

  test('each rule has a runbook whose symptoms mention the rule or its alert', () => {
    for (const { name, runbook } of RULES) {
      const words = [name, name.replace('Gateway_', '')].map((word) => `\`${word}\``);
      assert.ok(
        words.some((word) => symptoms.get(runbook)?.includes(word)),
        `${name}: ${runbook}`,
      );
    }
  });

  test('each alert that a runbook’s symptoms mention exists', () => {
    const named = [...symptoms.values()].flatMap((text) =>
      [...text.matchAll(/[Aa]lert (`\w+`(?:(?:,| or|, or) `\w+`)*)/g)].flatMap(
        ([, kinds = '']) => kinds.match(/\w{4,}/g) ?? [],
      ),
    );
    assert.ok(named.length >= 30);
    assert.deepEqual(
      named.filter((kind) => !Object.hasOwn(ALERTS, kind)),
      [],
    );
  });

  test('the dashboard has a panel with a query for each metric', () => {
    const { panels } = JSON.parse(fileOf('deploy/grafana/payment-gateway.json'));
    assert.equal(panels.length, METRICS.length);
    for (const { title, targets } of panels) assert.ok(targets.length > 0, title);
  });
});

/**
 * The Helm chart matches the gateway that it starts. The test compares the templates as text, because Helm may not be
 * installed.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { ROOT } from '../../generators/pages.ts';
import { SERVE_ROLES } from '../../src/cli/command-host.ts';
import { readConfig, VARIABLES } from '../../src/main/config/config.ts';
import { PRODUCTION } from '../support/gateway/production.ts';

const CHART = join(ROOT, 'deploy/helm/payment-gateway');
const fileOf = (path: string) => readFileSync(join(CHART, path), 'utf8');
const values = Object.fromEntries(
  [...fileOf('values.yaml').matchAll(/^(\w+): (.+)$/gm)].map(([, name = '', value = '']) => [name, value]),
);
const templates = { processes: fileOf('templates/processes.yaml'), migrate: fileOf('templates/migrate.yaml') };

/** Returns the variables of a template, with values from values.yaml and from the mounted files. */
function variablesOf(template: string): Record<string, string> {
  const given = [...template.matchAll(/\{ name: ([A-Z_]+), value: (.+?) \}$/gm)].map(([, name = '', value = '']) => {
    const [, named] = /\.Values\.(\w+)/.exec(value) ?? [];
    return [name, named === undefined ? value.replace(/^"(.*)"$/, '$1') : (values[named] ?? '')] as const;
  });
  return Object.fromEntries(
    given.map(([name, value]) => {
      const own = name.replace(/_FILE$/, '') as keyof typeof PRODUCTION;
      return name.endsWith('_FILE') ? [own, PRODUCTION[own] ?? ''] : [name, value];
    }),
  );
}

describe('the Helm chart', () => {
  for (const [name, template] of Object.entries(templates)) {
    test(`the gateway starts in production with the variables of ${name}.yaml`, () => {
      const image = { GATEWAY_ENV: 'production', HOST: '0.0.0.0', MANAGE_HOST: '0.0.0.0' };
      const read = readConfig({ ...image, ...variablesOf(template) });
      assert.ok(read.ok, JSON.stringify(read));
      assert.ok(read.value.databaseUrl && read.value.masterKey && read.value.publicUrl);
    });

    test(`${name}.yaml mounts each secret file that its variables name, readable by the group`, () => {
      const named = [...template.matchAll(/_FILE, value: \/run\/secrets\/gateway\/(\w+)/g)].map(([, file]) => file);
      const mounted = [...template.matchAll(/\{ key: \w+, path: (\w+) \}/g)].map(([, path]) => path);
      assert.deepEqual(mounted, named);
      assert.match(template, /defaultMode: 0440/);
      assert.match(template, /fsGroup: 1000/);
    });
  }

  test('the chart starts each role by its name and queries the operations listener for its health', () => {
    const { processes } = templates;
    const [, roles = ''] = /range \$role := list (.+) \}\}/.exec(processes) ?? [];
    assert.deepEqual(
      roles.split(' ').map((role) => JSON.parse(role)),
      SERVE_ROLES.filter((role) => role !== 'all'),
    );
    for (const name of ['PORT', 'MANAGE_PORT', 'METRICS_PORT'] as const)
      assert.ok(processes.includes(`containerPort: ${VARIABLES[name].default}`), name);
    assert.match(processes, /readinessProbe:\s+httpGet: \{ path: \/readyz, port: operations \}/);
  });

  test('values.yaml contains each value that a template uses', () => {
    const known = fileOf('values.yaml');
    const named = ['processes', 'migrate', 'services'].flatMap((name) => [
      ...fileOf(`templates/${name}.yaml`).matchAll(/\.Values\.(\w+)/g),
    ]);
    assert.ok(named.length > 10);
    for (const [, name = ''] of named) assert.match(known, new RegExp(`^${name}:`, 'm'), name);
  });

  const isMissing = spawnSync('helm', ['version']).status !== 0;
  test('helm lint and helm template accept the chart', { skip: isMissing && 'helm is not installed' }, () => {
    for (const args of [
      ['lint', '--strict'],
      ['template', 'gateway'],
    ]) {
      const { status, stdout, stderr } = spawnSync('helm', [...args, CHART], { encoding: 'utf8' });
      assert.equal(status, 0, `${stdout}${stderr}`);
    }
  });
});

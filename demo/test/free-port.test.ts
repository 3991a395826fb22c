import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { readDemoSettings } from '../src/demo-settings.ts';
import { findFreePort } from '../src/free-port.ts';
import { SIMULATOR_PORTS } from './demo-run.ts';

it('concurrent searches find distinct free ports', async (t) => {
  const ports = await Promise.all(Array.from({ length: 300 }, findFreePort));
  assert.equal(new Set(ports).size, ports.length);
  const server = createServer();
  t.after(() => server.close());
  await new Promise<void>((resolve) => server.listen(ports[0], '127.0.0.1', resolve));
});

it('the links to the pages have the port that the demo chose for MANAGE_PORT=0', async () => {
  const names = ['PORT', 'MANAGE_PORT', 'METRICS_PORT', ...SIMULATOR_PORTS];
  const zeros = Object.fromEntries(names.map((name) => [name, '0']));
  const { config } = await readDemoSettings({ ...zeros, GATEWAY_DATA_DIR: mkdtempSync(join(tmpdir(), 'ports-')) });
  assert.ok(config.managePort > 0 && config.managePort !== config.port);
  assert.equal(config.manageOrigin, `http://localhost:${config.managePort}`);
});

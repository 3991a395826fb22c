import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { it } from 'node:test';
import { findFreePort } from '../src/free-port.ts';

it('concurrent searches find distinct free ports', async (t) => {
  const ports = await Promise.all(Array.from({ length: 300 }, findFreePort));
  assert.equal(new Set(ports).size, ports.length);
  const server = createServer();
  t.after(() => server.close());
  await new Promise<void>((resolve) => server.listen(ports[0], '127.0.0.1', resolve));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Deep, runOver as run } from '../../../../test/support/gateway/run-over.ts';
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import { ok } from '../../../foundation/result.ts';

test('rail hours opens a rail always or at the given hours', async () => {
  const asked: unknown[] = [];
  const operations: Deep<GatewayOperations> = {
    routes: {
      read: async () => ({ routes: [], hours: [] }),
      setHours: async (rail, hours) => ok(asked.push([rail, hours?.text]) > 0 ? 'set' : 'set'),
    },
  };
  const hours = 'Mon-Fri 08:30-17:00 America/Toronto';
  assert.equal((await run(`rail hours bank '${hours}'`, operations)).stdout, `✓ bank is open ${hours}.\n`);
  assert.equal((await run('rail hours bank always', operations)).stdout, '✓ bank is open always.\n');
  assert.deepEqual(asked, [
    ['bank', hours],
    ['bank', undefined],
  ]);
});

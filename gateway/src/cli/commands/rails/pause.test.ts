import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Deep, runOver as run } from '../../../../test/support/gateway/run-over.ts';
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';

test('gateway pause rejects an unknown merchant, method, purpose or rail', async () => {
  const paused: string[] = [];
  const operations: Deep<GatewayOperations> = {
    methods: { currencyOf: (method: number) => (method === 9 ? 'EUR' : undefined) },
    rails: { list: async () => [{ name: 'bank', methods: [9, 1], purposes: [], simulated: true, notifies: true }] },
    merchants: { find: async () => undefined },
    pauses: { pause: async (scope, target, reason) => paused.push(`${scope} ${target} ${reason}`) > 0 },
  } as Deep<GatewayOperations>;
  assert.match((await run('pause merchant M9 --reason x', operations)).stderr, /^The gateway has no merchant "M9"/);
  assert.match((await run('pause method 70 --reason x', operations)).stderr, /^The gateway has no method "70"/);
  assert.match((await run('pause purpose fun --reason x', operations)).stderr, /^The gateway has no purpose "fun"/);
  assert.match((await run('pause rail moon --reason x', operations)).stderr, /^The gateway has no rail "moon"/);
  assert.equal((await run("pause method 9 --reason 'fraud wave'", operations)).exitCode, 0);
  assert.deepEqual(paused, ['method 9 fraud wave']);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runOver as run } from '../../../../test/support/gateway/run-over.ts';
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';

test('vault rotate lists the values that no key decrypts, then exits with 1', async () => {
  const rotate: GatewayOperations['masterKey']['rotate'] = async (onProgress) => {
    onProgress({ table: 'vault_records', done: 1, total: 2 });
    return { masterKeyId: 'abc', rewrapped: 1, unopened: ['record/M1/t'] };
  };
  const { stdout, stderr, exitCode } = await run('vault rotate --json', {
    masterKey: { rotate, processesWithout: async () => [] },
  });
  assert.deepEqual(JSON.parse(stdout), { masterKeyId: 'abc', rewrapped: 1, unopened: ['record/M1/t'] });
  assert.deepEqual([stderr, exitCode], ['', 1]);
});

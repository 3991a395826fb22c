import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runOver as run } from '../../../../test/support/gateway/run-over.ts';

test('the doctor exits with 1 and prints the remedy of each problem', async () => {
  const examineInstallation = async () => [
    { name: 'Node', ok: true, found: 'v24', remedy: '' },
    { name: 'Port 8080', ok: false, found: 'is in use', remedy: 'Set PORT' },
  ];
  const { stdout, exitCode } = await run('doctor', {}, { examineInstallation });
  assert.deepEqual([stdout, exitCode], ['✓ Node: v24\n✗ Port 8080: is in use\n    → Set PORT\n', 1]);
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createCallApi } from './manage-api.ts';

it('a command reports an action that waits for a second person as a proposal, not as done', async () => {
  const text = JSON.stringify({ proposalId: 'P1', expiresAt: '2026-11-24T10:00:00.000Z' });
  const send = async () => ({ status: 202, entityTag: null, text });
  const call = createCallApi(async () => ({ send, download: send, newKey: () => 'key' }));
  await assert.rejects(call('vault.rotate'), {
    message: 'The action was not executed: a second person must approve proposal P1 before 2026-11-24T10:00:00.000Z',
    exitCode: 1,
  });
});

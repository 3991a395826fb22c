import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createManualClock } from '../../../foundation/clock.ts';
import type { TokenStore } from '../token-store.ts';
import { hashSecret, TOKEN_ID_LENGTH, TOKEN_SECRET_LENGTH, writeCredential } from './api-token.ts';
import { authenticateToken } from './authenticate-token.ts';

const DEADLINE = 1_000;

it('a token authenticates until the millisecond before its deadline', async () => {
  const [tokenId, secret] = ['T'.repeat(TOKEN_ID_LENGTH), 's'.repeat(TOKEN_SECRET_LENGTH)];
  const of = { name: 'a program', merchantId: null, scopes: [], createdBy: '', shownTo: '', parentId: null };
  const token = { ...of, tokenId, createdAt: 0, expiresAt: DEADLINE, revokedAt: null, lastUsedAt: 0 };
  const creatorRoles = { operator: null, merchant: null };
  const find = async () => ({ ...token, secretHash: hashSecret(secret), creatorRoles });
  const store: TokenStore = {
    find,
    add: async () => {},
    list: async () => [],
    names: async () => [],
    revoke: async () => {},
    markUsed: async () => {},
  };
  const callerAt = async (now: number) => {
    const parts = { store, clock: createManualClock(now), permissionsOf: () => undefined };
    return (await authenticateToken(parts, writeCredential(tokenId, secret)))?.actor.id;
  };
  assert.deepEqual([await callerAt(DEADLINE - 1), await callerAt(DEADLINE)], [tokenId, undefined]);
});

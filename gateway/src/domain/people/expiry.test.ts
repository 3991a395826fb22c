/** Each credential that expires is valid until its last millisecond, and invalid at its deadline. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createManualClock } from '../../foundation/clock.ts';
import type { Challenge } from './challenge-store.ts';
import type { Invitation } from './invitation-store.ts';
import { consumeChallenge } from './sign-in/challenge.ts';
import { isOpen } from './team/invitation.ts';
import type { TokenStore } from './token-store.ts';
import { hashSecret, TOKEN_ID_LENGTH, TOKEN_SECRET_LENGTH, writeCredential } from './tokens/api-token.ts';
import { authenticateToken } from './tokens/authenticate-token.ts';

const DEADLINE = 1_000;

it('a challenge is valid until the millisecond before its deadline', async () => {
  const bytes = Buffer.from('challenge');
  const challenge: Challenge = { challengeId: 'C1', purpose: 'sign_in', subject: '', bytes, expiresAt: DEADLINE };
  const challenges = { consume: async () => challenge, add: async () => {}, forget: async () => 0 };
  const takenAt = (now: number) =>
    consumeChallenge({ challenges, clock: createManualClock(now) }, 'C1', challenge.purpose, '');
  assert.deepEqual([await takenAt(DEADLINE - 1), await takenAt(DEADLINE)], [bytes, undefined]);
});

it('an invitation is open until the millisecond before its deadline', () => {
  const invitation = { acceptedAt: null, revokedAt: null, expiresAt: DEADLINE } as Invitation;
  assert.deepEqual([isOpen(invitation, DEADLINE - 1), isOpen(invitation, DEADLINE)], [true, false]);
});

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

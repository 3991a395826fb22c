/** Runs every statement about users, their credentials, their sessions and their invitations. */
import type { Database } from '../../src/storage/core/database.ts';
import { createChallengeStore } from '../../src/storage/people/challenge-store.ts';
import { createInvitationStore } from '../../src/storage/people/invitation-store.ts';
import { createLockoutStore } from '../../src/storage/people/lockout-store.ts';
import { createPeopleStore } from '../../src/storage/people/people-store.ts';
import { createSessionStore } from '../../src/storage/people/session-store.ts';
import { createTokenStore } from '../../src/storage/people/token-store.ts';

const FAR = Date.UTC(2100, 0, 1);
const HASH = Buffer.alloc(32);
const PERSON = 'H1';

export async function exerciseSignIn(database: Database): Promise<void> {
  await exerciseCredentials(database);
  await exerciseSessions(database);
  await exerciseInvitations(database);
  await exerciseTokens(database);
}

async function exerciseCredentials(database: Database): Promise<void> {
  const people = createPeopleStore(database);
  await people.add({ personId: PERSON, email: 'ann@example.com', name: 'Ann', createdAt: 1 });
  await people.find(PERSON);
  await people.findByEmail('ann@example.com');
  await people.linkIdentity(PERSON, 'https://issuer.example', 'S1', 1);
  await people.findIdentity('https://issuer.example', 'S1');
  for (const merchantId of ['M1', null]) {
    await people.setRole(PERSON, { merchantId, role: 'viewer', since: 1 });
    await people.members(merchantId);
    for (const role of ['support', null])
      await people.changeRole({ personId: PERSON, merchantId, role, keeps: 'owner', at: 2 });
  }
  await people.memberships(PERSON);
  const device = { credentialId: 'K1', publicKey: HASH, counter: 1, transports: [], name: 'phone' };
  await people.addPasskey({ ...device, personId: PERSON, createdAt: 1, lastUsedAt: null });
  await people.findPasskey('K1');
  await people.passkeys(PERSON);
  await people.countPasskey('K1', 2, 2);
  await people.removePasskey(PERSON, 'K1');
  await people.setPassword(PERSON, { salt: HASH, hash: HASH, totpSeed: HASH, totpStep: 1, changedAt: 1 });
  await people.findPassword(PERSON);
  await people.useTotpStep(PERSON, 2);
  await people.removePassword(PERSON);
  await people.replaceRecoveryCodes(PERSON, [HASH]);
  await people.countRecoveryCodes(PERSON);
  await people.useRecoveryCode(PERSON, HASH, 2);
  await people.resetCredentials(PERSON, device, 2);
}

async function exerciseSessions(database: Database): Promise<void> {
  const sessions = createSessionStore(database);
  const times = { createdAt: 1, lastUsedAt: 1 };
  const client = { way: 'passkey', address: '127.0.0.1', userAgent: 'x' } as const;
  await sessions.add(
    { sessionId: 'S1', personId: PERSON, merchantId: null, viewedMerchantId: null, ...client, ...times },
    HASH,
  );
  await sessions.find(HASH);
  await sessions.markUsed('S1', 2);
  await sessions.list(PERSON, 0);
  await sessions.viewAs('S1', 'M1');
  await sessions.switchTo('S1', 'M1');
  await sessions.end(PERSON, 'S1', 3);
  await sessions.endAll(PERSON, 3);
  await sessions.endOfTeam(PERSON, 'M1', 3);
  await sessions.forget(FAR, 10);
  const challenges = createChallengeStore(database);
  await challenges.add({ challengeId: 'C1', purpose: 'sign_in', subject: '', bytes: HASH, expiresAt: 1 });
  await challenges.consume('C1');
  await challenges.forget(FAR, 10);
  const lockouts = createLockoutStore(database);
  await lockouts.begin('password:ann@example.com', { at: 1, since: 0, closesUntil: 2, most: 10 });
  await lockouts.succeeded('password:ann@example.com');
  await lockouts.forget(FAR, 10);
}

async function exerciseInvitations(database: Database): Promise<void> {
  const invitations = createInvitationStore(database);
  const open = { approvedBy: null, createdAt: 1, expiresAt: FAR, acceptedAt: null, revokedAt: null };
  const invited = {
    invitationId: 'I1',
    email: 'ann@example.com',
    merchantId: null,
    role: 'viewer',
    invitedBy: 'x',
    invitedPeople: [],
  };
  await invitations.add({ ...invited, purpose: 'join', ...open }, HASH);
  await invitations.find('I1');
  await invitations.findBySecret(HASH);
  for (const merchantId of ['M1', null]) await invitations.open(merchantId, 1);
  await invitations.approve('I1', 'y', HASH, 2);
  await invitations.revoke('I1', 2);
  await invitations.accept('I1', 2);
  await invitations.hasOperator('administrator', 1);
}

async function exerciseTokens(database: Database): Promise<void> {
  const tokens = createTokenStore(database);
  const times = { createdAt: 0, expiresAt: FAR, revokedAt: null, lastUsedAt: null };
  const origin = { createdBy: '', shownTo: '', parentId: null };
  const token = { tokenId: 'T1', name: 'x', merchantId: null, scopes: ['audit:read'], ...origin, ...times };
  await tokens.add({ ...token, secretHash: HASH });
  await tokens.markUsed('T1', 1);
  await tokens.names('M1');
  await tokens.revoke('T1', 1);
  await tokens.find('T1');
  for (const merchantId of [null, 'M1']) await tokens.list(merchantId);
}

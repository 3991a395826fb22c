/** Finds the caller of a request by its credential. */
import { timingSafeEqual } from 'node:crypto';
import { type Clock, HOUR_MS } from '../../../foundation/clock.ts';
import type { Secret } from '../../../foundation/secret.ts';
import type { Caller } from '../caller.ts';
import type { PermissionsOf } from '../sign-in/session.ts';
import type { TokenStore } from '../token-store.ts';
import { hashSecret, permissionsOfToken, readCredential } from './api-token.ts';

/** Resolves to undefined unless the credential is a currently valid token. */
export async function authenticateToken(
  {
    store,
    clock,
    permissionsOf,
  }: { readonly store: TokenStore; readonly clock: Clock; readonly permissionsOf: PermissionsOf },
  credential: Secret,
): Promise<Caller | undefined> {
  const read = readCredential(credential);
  const token = read && (await store.find(read.tokenId));
  if (!token || !timingSafeEqual(hashSecret(read.secret), token.secretHash)) return undefined;
  const now = clock.now();
  const { tokenId, name, merchantId, lastUsedAt, createdBy, shownTo, expiresAt } = token;
  const permissions = permissionsOfToken(token, permissionsOf);
  if (token.revokedAt !== null || expiresAt <= now || !permissions) return undefined;
  if (lastUsedAt === null || now - lastUsedAt >= HOUR_MS) await store.markUsed(tokenId, now);
  return { actor: { kind: 'token', id: tokenId, name }, merchantId, permissions, createdBy, shownTo, expiresAt };
}

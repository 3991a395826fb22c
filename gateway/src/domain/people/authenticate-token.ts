/** Finds the caller of a request by the credential that it carries. */
import { timingSafeEqual } from 'node:crypto';
import { type Clock, HOUR_MS } from '../../foundation/clock.ts';
import type { Secret } from '../../foundation/secret.ts';
import { hashSecret, readCredential } from './api-token.ts';
import type { Caller } from './caller.ts';
import type { TokenStore } from './token-store.ts';

/** Undefined: the credential is not a token that is valid now. */
export async function authenticateToken(
  { store, clock }: { readonly store: TokenStore; readonly clock: Clock },
  credential: Secret,
): Promise<Caller | undefined> {
  const read = readCredential(credential);
  const token = read && (await store.find(read.tokenId));
  if (!token || !timingSafeEqual(hashSecret(read.secret), token.secretHash)) return undefined;
  const now = clock.now();
  const { tokenId, name, merchantId, scopes, lastUsedAt, createdBy } = token;
  if (token.revokedAt !== null || token.expiresAt <= now) return undefined;
  if (lastUsedAt === null || now - lastUsedAt >= HOUR_MS) await store.markUsed(tokenId, now);
  return { actor: { kind: 'token', id: tokenId, name }, merchantId, permissions: new Set(scopes), createdBy };
}

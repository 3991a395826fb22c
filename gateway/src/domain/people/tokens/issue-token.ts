/** The commands `token create` and `token revoke`. The database holds only a hash, so a token is shown only once. */
import { type Clock, DAY_MS, type Instant } from '../../../foundation/clock.ts';
import type { MerchantId } from '../../../foundation/identifiers.ts';
import { type Random, randomAlphanumeric } from '../../../foundation/random.ts';
import { fail, ok, type Result } from '../../../foundation/result.ts';
import type { Secret } from '../../../foundation/secret.ts';
import { type MerchantDirectory, mayHaveTeam } from '../../merchants/merchant-directory.ts';
import type { TokenStore } from '../token-store.ts';
import { type ApiToken, hashSecret, TOKEN_ID_LENGTH, TOKEN_SECRET_LENGTH, writeCredential } from './api-token.ts';

export interface TokenParts {
  readonly store: TokenStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly merchants: Pick<MerchantDirectory, 'find'>;
}

export interface TokenOrder {
  readonly name: string;
  /** Null for a token of the operator. */
  readonly merchantId: MerchantId | null;
  readonly scopes: readonly string[];
  /** The user who creates it. Undefined on the command line. */
  readonly createdBy?: string;
  /** The user who approves its creation and sees its secret. */
  readonly shownTo?: string;
  /** The token that creates it. The new token expires no later. */
  readonly parent?: { readonly tokenId: string; readonly expiresAt: Instant } | null;
  /** How long the token is valid. */
  readonly days: number;
}

export interface IssuedToken {
  readonly token: ApiToken;
  /** The entire credential, shown once. */
  readonly secret: Secret;
}

export async function issueToken(
  { store, clock, random, merchants }: TokenParts,
  { days, createdBy = '', shownTo = '', parent = null, ...order }: TokenOrder,
): Promise<Result<IssuedToken, 'merchant_not_found'>> {
  if (order.merchantId !== null && !(await mayHaveTeam(merchants, order.merchantId))) return fail('merchant_not_found');
  const createdAt = clock.now();
  const tokenId = randomAlphanumeric(random, TOKEN_ID_LENGTH);
  const secret = randomAlphanumeric(random, TOKEN_SECRET_LENGTH);
  const expiresAt = Math.min(createdAt + days * DAY_MS, parent?.expiresAt ?? Number.POSITIVE_INFINITY);
  const times = { createdAt, expiresAt, revokedAt: null, lastUsedAt: null };
  const token = { tokenId, ...order, createdBy, shownTo, parentId: parent?.tokenId ?? null, ...times };
  await store.add({ ...token, secretHash: hashSecret(secret) });
  return ok({ token, secret: writeCredential(tokenId, secret) });
}

/** Revokes the token now. A repeat keeps the first time. Resolves to undefined if the token does not exist. */
export async function revokeToken(
  { store, clock }: Pick<TokenParts, 'store' | 'clock'>,
  tokenId: string,
): Promise<ApiToken | undefined> {
  await store.revoke(tokenId, clock.now());
  return store.find(tokenId);
}

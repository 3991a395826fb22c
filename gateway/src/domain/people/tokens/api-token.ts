/** API tokens, the credentials of programs: their structure, and the form in which a program sends one. */
import { createHash } from 'node:crypto';
import type { Instant } from '../../../foundation/clock.ts';
import type { MerchantId } from '../../../foundation/identifiers.ts';
import { Secret } from '../../../foundation/secret.ts';
import type { PermissionsOf } from '../sign-in/session.ts';

export interface ApiToken {
  readonly tokenId: string;
  /** The program that uses it. */
  readonly name: string;
  /** Null for a token of the operator. */
  readonly merchantId: MerchantId | null;
  readonly scopes: readonly string[];
  /** The user who created it. Empty if the command line did. */
  readonly createdBy: string;
  /** The user who approved its creation and saw its secret. Empty if only its creator saw the secret. */
  readonly shownTo: string;
  /** The token that created it, or null. The gateway revokes it together with that token. */
  readonly parentId: string | null;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  /** Null for a token that is not revoked. */
  readonly revokedAt: Instant | null;
  /** Rounded to the hour. Null for a token that was never used. */
  readonly lastUsedAt: Instant | null;
}

export interface NewToken extends ApiToken {
  readonly secretHash: Buffer;
}

export interface StoredToken extends NewToken {
  /** Its creator's current roles: at the operator, and at the token's merchant. Null without a role there. */
  readonly creatorRoles: { readonly operator: string | null; readonly merchant: string | null };
}

/**
 * Returns the permissions of a token: those of its scopes that its creator still has, or undefined if the creator has left. A
 * token created on the command line keeps all its scopes.
 */
export function permissionsOfToken(
  {
    createdBy,
    merchantId,
    scopes,
    creatorRoles,
  }: Pick<StoredToken, 'createdBy' | 'merchantId' | 'scopes' | 'creatorRoles'>,
  permissionsOf: PermissionsOf,
): ReadonlySet<string> | undefined {
  if (createdBy === '') return new Set(scopes);
  const { operator, merchant } = creatorRoles;
  if (operator === null && merchant === null) return undefined;
  const held = [
    operator === null ? undefined : permissionsOf(null, operator),
    merchant === null ? undefined : permissionsOf(merchantId, merchant),
  ];
  return new Set(scopes.filter((scope) => held.some((permissions) => permissions?.has(scope))));
}

/** Secret scanners find a token by this prefix. */
const PREFIX = 'gwt_live';
export const TOKEN_ID_LENGTH = 12;
export const TOKEN_SECRET_LENGTH = 43;
const CREDENTIAL = new RegExp(`^${PREFIX}_([A-Za-z0-9]{${TOKEN_ID_LENGTH}})_([A-Za-z0-9]{${TOKEN_SECRET_LENGTH}})$`);

export function writeCredential(tokenId: string, secret: string): Secret {
  return new Secret(`${PREFIX}_${tokenId}_${secret}`);
}

/** Returns undefined for a string that does not have the form of a token. */
export function readCredential(credential: Secret): { readonly tokenId: string; readonly secret: string } | undefined {
  const [, tokenId, secret] = CREDENTIAL.exec(credential.reveal()) ?? [];
  return tokenId === undefined || secret === undefined ? undefined : { tokenId, secret };
}

/** The secret has 256 bits, so a plain hash suffices. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

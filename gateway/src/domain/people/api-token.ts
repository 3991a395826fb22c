/** API tokens, the credentials of programs: their shape, and the form in which a program sends one. */
import { createHash } from 'node:crypto';
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { Secret } from '../../foundation/secret.ts';

export interface ApiToken {
  readonly tokenId: string;
  /** The program that uses it. */
  readonly name: string;
  /** Null: a token of the operator. */
  readonly merchantId: MerchantId | null;
  readonly scopes: readonly string[];
  /** The person who created it; empty: the command line did. */
  readonly createdBy: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  /** Null: not revoked. */
  readonly revokedAt: Instant | null;
  /** To the hour; null: never used. */
  readonly lastUsedAt: Instant | null;
}

export interface StoredToken extends ApiToken {
  readonly secretHash: Buffer;
}

/** Secret scanners find a token by this prefix. */
const PREFIX = 'gwt_live';
export const TOKEN_ID_LENGTH = 12;
export const TOKEN_SECRET_LENGTH = 43;
const CREDENTIAL = new RegExp(`^${PREFIX}_([A-Za-z0-9]{${TOKEN_ID_LENGTH}})_([A-Za-z0-9]{${TOKEN_SECRET_LENGTH}})$`);

export function writeCredential(tokenId: string, secret: string): Secret {
  return new Secret(`${PREFIX}_${tokenId}_${secret}`);
}

/** Undefined for a text of another form. */
export function readCredential(credential: Secret): { readonly tokenId: string; readonly secret: string } | undefined {
  const [, tokenId, secret] = CREDENTIAL.exec(credential.reveal()) ?? [];
  return tokenId === undefined || secret === undefined ? undefined : { tokenId, secret };
}

/** The secret has 256 bits, so a plain hash suffices. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

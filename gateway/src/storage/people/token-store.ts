/** Stores API tokens in PostgreSQL. */

import type { TokenStore } from '../../domain/people/token-store.ts';
import type { ApiToken, StoredToken } from '../../domain/people/tokens/api-token.ts';
import type { Instant } from '../../foundation/clock.ts';
import type { Database } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';

interface TokenRow {
  readonly token_id: string;
  readonly name: string;
  readonly merchant_id: string | null;
  readonly scopes: readonly string[];
  readonly created_by: string;
  readonly shown_to: string;
  readonly parent_id: string | null;
  readonly created_at: Instant;
  readonly expires_at: Instant;
  readonly revoked_at: Instant | null;
  readonly last_used_at: Instant | null;
}

const COLUMNS = `token_id, name, merchant_id, scopes, created_by, shown_to, parent_id, created_at, expires_at, revoked_at,
  last_used_at`;

const FIND = `
select ${COLUMNS}, secret_hash,
  (select role from memberships where person_id = created_by and memberships.merchant_id is null) as operator_role,
  (select role from memberships
   where person_id = created_by and memberships.merchant_id = api_tokens.merchant_id) as merchant_role
from api_tokens where token_id = $1`;

interface FoundRow extends TokenRow {
  readonly secret_hash: Buffer;
  readonly operator_role: string | null;
  readonly merchant_role: string | null;
}

const CHILDREN = 'select token_id from api_tokens where parent_id = any($1::text[])';

/**
 * Returns the token and all tokens that it and its descendants created. It reads level by level, because a cluster runs no
 * recursive statement.
 */
async function readFamily(database: Database, tokenId: string): Promise<string[]> {
  const family = new Set([tokenId]);
  for (let level = [tokenId]; level.length > 0; ) {
    const rows = await database.query<Pick<TokenRow, 'token_id'>>(CHILDREN, [level]);
    level = rows.map(({ token_id }) => token_id).filter((child) => !family.has(child));
    for (const child of level) family.add(child);
  }
  return [...family];
}

export function createTokenStore(database: Database): TokenStore {
  return {
    async add({ tokenId, secretHash, createdAt, expiresAt, ...token }) {
      const { name, merchantId, scopes, createdBy, shownTo, parentId } = token;
      await database.query(
        `insert into api_tokens (token_id, secret_hash, name, merchant_id, scopes, created_by, shown_to, parent_id,
           created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        [
          tokenId,
          secretHash,
          name,
          merchantId,
          scopes,
          createdBy,
          shownTo,
          parentId,
          timestamp(createdAt),
          timestamp(expiresAt),
        ],
      );
    },
    async find(tokenId) {
      const [row] = await database.prepared<FoundRow>('find-api-token', FIND, [tokenId]);
      if (!row) return undefined;
      const creatorRoles = { operator: row.operator_role, merchant: row.merchant_role };
      return { ...readToken(row), secretHash: row.secret_hash, creatorRoles } satisfies StoredToken;
    },
    async list(merchantId) {
      const rows = await database.query<TokenRow>(
        `select ${COLUMNS} from api_tokens where $1::text is null or merchant_id = $1 order by created_at desc limit 1000`,
        [merchantId],
      );
      return rows.map(readToken);
    },
    async names(merchantId) {
      const rows = await database.query<Pick<TokenRow, 'name'>>(
        'select distinct name from api_tokens where merchant_id = $1',
        [merchantId],
      );
      return rows.map(({ name }) => name);
    },
    async revoke(tokenId, at) {
      await database.query(
        'update api_tokens set revoked_at = $2 where token_id = any($1::text[]) and revoked_at is null',
        [await readFamily(database, tokenId), timestamp(at)],
      );
    },
    async markUsed(tokenId, at) {
      await database.query(
        'update api_tokens set last_used_at = greatest(last_used_at, $2::timestamptz) where token_id = $1',
        [tokenId, timestamp(at)],
      );
    },
  };
}

function readToken(row: TokenRow): ApiToken {
  return {
    tokenId: row.token_id,
    name: row.name,
    merchantId: row.merchant_id,
    scopes: row.scopes,
    createdBy: row.created_by,
    shownTo: row.shown_to,
    parentId: row.parent_id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
}

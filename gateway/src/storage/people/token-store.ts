/** Stores API tokens in PostgreSQL. */
import type { StoredToken } from '../../domain/people/api-token.ts';
import type { TokenStore } from '../../domain/people/token-store.ts';
import type { Instant } from '../../foundation/clock.ts';
import { type Database, timestamp } from '../core/database.ts';

interface TokenRow {
  readonly token_id: string;
  readonly secret_hash: Buffer;
  readonly name: string;
  readonly merchant_id: string | null;
  readonly scopes: readonly string[];
  readonly created_by: string;
  readonly created_at: Instant;
  readonly expires_at: Instant;
  readonly revoked_at: Instant | null;
  readonly last_used_at: Instant | null;
}

const COLUMNS =
  'token_id, secret_hash, name, merchant_id, scopes, created_by, created_at, expires_at, revoked_at, last_used_at';

export function createTokenStore(database: Database): TokenStore {
  return {
    async add({ tokenId, secretHash, name, merchantId, scopes, createdBy, createdAt, expiresAt }) {
      await database.query(
        `insert into api_tokens (token_id, secret_hash, name, merchant_id, scopes, created_by, created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [tokenId, secretHash, name, merchantId, scopes, createdBy, timestamp(createdAt), timestamp(expiresAt)],
      );
    },
    async find(tokenId) {
      const [row] = await database.prepared<TokenRow>(
        'find-api-token',
        `select ${COLUMNS} from api_tokens where token_id = $1`,
        [tokenId],
      );
      return row && readToken(row);
    },
    async list() {
      const rows = await database.query<TokenRow>(
        `select ${COLUMNS} from api_tokens order by created_at desc limit 1000`,
      );
      return rows.map(readToken);
    },
    async revoke(tokenId, at) {
      await database.query('update api_tokens set revoked_at = $2 where token_id = $1 and revoked_at is null', [
        tokenId,
        timestamp(at),
      ]);
    },
    async markUsed(tokenId, at) {
      await database.query(
        'update api_tokens set last_used_at = greatest(last_used_at, $2::timestamptz) where token_id = $1',
        [tokenId, timestamp(at)],
      );
    },
  };
}

function readToken(row: TokenRow): StoredToken {
  return {
    tokenId: row.token_id,
    secretHash: row.secret_hash,
    name: row.name,
    merchantId: row.merchant_id,
    scopes: row.scopes,
    createdBy: row.created_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
}

/** Stores the keys that sign statements: the public part in a separate table, the private part among the vault's keys. */

import type { PublicStatementKey, StatementKeyStore } from '../../domain/statements/statement-key-store.ts';
import { statementKeyName } from '../../domain/statements/statement-keys.ts';
import { lockKey } from '../core/advisory-locks.ts';
import type { Database } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';
import { readSealed, type SealedColumns } from '../vault/vault-store.ts';

export function createStatementKeyStore(database: Database): StatementKeyStore {
  return {
    keys: () =>
      database.query<PublicStatementKey>(
        `select key_id as "keyId", public_key as "publicKey", created_at as "createdAt" from statement_keys
         order by created_at desc, key_id`,
      ),
    async sealed(keyId) {
      const [row] = await database.query<SealedColumns>(
        'select master_key_id, wrapped_key, ciphertext from vault_keys where name = $1',
        [statementKeyName(keyId)],
      );
      return row && readSealed(row);
    },
    add: ({ keyId, publicKey, createdAt }, sealed, onlyFirst) =>
      database.transaction(async (transaction) => {
        await transaction.query(
          `select pg_advisory_xact_lock(${lockKey('work', "'add a statement key'")})::text as held`,
        );
        if (onlyFirst && (await transaction.query('select key_id from statement_keys limit 1')).length > 0) return;
        await transaction.query('insert into statement_keys (key_id, public_key, created_at) values ($1, $2, $3)', [
          keyId,
          publicKey,
          timestamp(createdAt),
        ]);
        await transaction.query(
          'insert into vault_keys (name, master_key_id, wrapped_key, ciphertext) values ($1, $2, $3, $4)',
          [statementKeyName(keyId), sealed.masterKeyId, sealed.wrappedKey, sealed.ciphertext],
        );
      }),
  };
}

/**
 * Stores sealed secrets in PostgreSQL: reads them and re-wraps them for a rotation. destroy-records.ts deletes them. It
 * neither seals nor opens a secret.
 */
import type { SealedSecret } from '../../domain/vault/vault.ts';
import type { SealedRow, SealedRowKey, SealedTable, VaultStore } from '../../domain/vault/vault-store.ts';
import type { Database } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';
import { destroyDue, IN_LOCK_ORDER } from './destroy-records.ts';

export interface SealedColumns {
  readonly master_key_id: string;
  readonly wrapped_key: Buffer;
  readonly ciphertext: Buffer;
}

const SEALED = 'master_key_id, wrapped_key, ciphertext';

export function readSealed(row: SealedColumns): SealedSecret {
  return { masterKeyId: row.master_key_id, wrappedKey: row.wrapped_key, ciphertext: row.ciphertext };
}

/** The columns that identify a sealed secret in each table. The fingerprint key belongs to no merchant. */
const KEY_COLUMNS: Readonly<Record<SealedTable, { readonly merchant: string; readonly name: string }>> = {
  vault_records: { merchant: 'merchant_id', name: 'token' },
  merchant_keys: { merchant: 'merchant_id', name: 'key_id' },
  vault_keys: { merchant: "''::text", name: 'name' },
};

/** Two ranges replace `<>`, because an index can search ranges. */
function underOtherKeyThan(parameter: number): string {
  return `master_key_id < $${parameter} or master_key_id > $${parameter}`;
}

export function createVaultStore(database: Database): VaultStore {
  return {
    find: async (merchantId, token) => {
      const [row] = await database.query<SealedColumns>(
        `select ${SEALED} from vault_records where merchant_id = $1 and token = $2`,
        [merchantId, token],
      );
      return row && { merchantId, token, sealed: readSealed(row) };
    },
    findFingerprintKey: () => findFingerprintKey(database),
    keepFirstFingerprintKey: async (sealed) => {
      await database.query(
        `insert into vault_keys (name, ${SEALED}) values ('fingerprint', $1, $2, $3) on conflict (name) do nothing`,
        [sealed.masterKeyId, sealed.wrappedKey, sealed.ciphertext],
      );
      return (await findFingerprintKey(database)) ?? sealed;
    },
    listUnderOtherKeys: (table, currentKeyId, after, limit) => listOther(database, table, currentKeyId, after, limit),
    countUnderOtherKeys: async (table, currentKeyId) => {
      const [row] = await database.query<{ count: bigint }>(
        `select count(*) from ${table} where ${underOtherKeyThan(1)}`,
        [currentKeyId],
      );
      return Number(row?.count ?? 0n);
    },
    replaceWrappings: (table, rows) => replaceWrappings(database, table, rows),
    masterKeyIds: () => masterKeyIds(database),
    retireMasterKeys: async (others, currentKeyId, at) => {
      await database.query(RETIRE, [others, currentKeyId, timestamp(at)]);
    },
    findRetirement: async (masterKeyId) => {
      const [row] = await database.query<{ retired_at: number }>(
        'select retired_at from retired_master_keys where master_key_id = $1',
        [masterKeyId],
      );
      return row?.retired_at;
    },
    destroyDue: (now, limit) => destroyDue(database, now, limit),
  };
}

/** The current key is in use, even if it was retired before. */
const RETIRE = `
with in_use as (delete from retired_master_keys where master_key_id = $2)
insert into retired_master_keys (master_key_id, retired_at)
select id, $3 from unnest($1::text[]) as u(id) where id <> $2 on conflict (master_key_id) do nothing`;

async function findFingerprintKey(database: Database): Promise<SealedSecret | undefined> {
  const [row] = await database.query<SealedColumns>(`select ${SEALED} from vault_keys where name = 'fingerprint'`);
  return row && readSealed(row);
}

async function listOther(
  database: Database,
  table: SealedTable,
  currentKeyId: string,
  after: SealedRowKey | undefined,
  limit: number,
): Promise<SealedRow[]> {
  const { merchant, name } = KEY_COLUMNS[table];
  const rows = await database.query<SealedColumns & { merchant: string; name: string }>(
    `select ${merchant} as merchant, ${name} as name, ${SEALED} from ${table}
     where (${underOtherKeyThan(1)}) and (${merchant}, ${name}) > ($2, $3)
     order by 1, 2 limit $4`,
    [currentKeyId, after?.merchantId ?? '', after?.name ?? '', limit],
  );
  return rows.map((row) => ({ merchantId: row.merchant, name: row.name, sealed: readSealed(row) }));
}

/** A row that was re-wrapped or destroyed after it was read stays unchanged, because the condition contains the former key. */
async function replaceWrappings(
  database: Database,
  table: SealedTable,
  rows: readonly (SealedRow & { readonly formerKeyId: string })[],
): Promise<number> {
  const { merchant, name } = KEY_COLUMNS[table];
  const replaced = await database.query(
    `update ${table} set master_key_id = fresh.master_key_id, wrapped_key = fresh.wrapped_key
     from (select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bytea[])
       as f (merchant_id, token) ${IN_LOCK_ORDER}) as fresh (merchant, name, former_key_id, master_key_id, wrapped_key)
     where (${merchant}, ${table}.${name}, ${table}.master_key_id) = (fresh.merchant, fresh.name, fresh.former_key_id)
     returning 1`,
    [
      rows.map((row) => row.merchantId),
      rows.map((row) => row.name),
      rows.map((row) => row.formerKeyId),
      rows.map((row) => row.sealed.masterKeyId),
      rows.map((row) => row.sealed.wrappedKey),
    ],
  );
  return replaced.length;
}

/**
 * Searches records under unknown keys until none is left. The index stores the lowest and highest key of each block of pages,
 * so the search reads only blocks with several keys.
 */
async function masterKeyIds(database: Database): Promise<string[]> {
  const others = await database.query<{ id: string }>(
    'select master_key_id as id from merchant_keys union select master_key_id from vault_keys',
  );
  const known = new Set(others.map(({ id }) => id));
  for (;;) {
    const underNone = [...known].map((_, index) => `(${underOtherKeyThan(index + 1)})`);
    const [row] = await database.query<{ id: string }>(
      `select master_key_id as id from vault_records where ${['true', ...underNone].join(' and ')} limit 1`,
      [...known],
    );
    if (!row) return [...known].sort();
    known.add(row.id);
  }
}

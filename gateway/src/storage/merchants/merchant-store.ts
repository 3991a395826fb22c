/** Stores merchants and their sealed keys in PostgreSQL. */

import type { KeyPurpose, Merchant, MerchantProfile, MerchantState } from '../../domain/merchants/merchant.ts';
import { readMerchantSettings } from '../../domain/merchants/merchant-settings.ts';
import type { MerchantChange, MerchantStore, StoredKey } from '../../domain/merchants/merchant-store.ts';
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { invariant } from '../../foundation/invariant.ts';
import type { Database, Queryable } from '../core/database.ts';
import { timestamp, timestampOrNull } from '../core/parameters.ts';
import { readSealed } from '../vault/vault-store.ts';

const PROFILE_COLUMNS: Readonly<Record<keyof MerchantProfile, string>> = {
  name: 'name',
  siteUrl: 'site_url',
  processUrl: 'process_url',
  successUrl: 'success_url',
  failUrl: 'fail_url',
  payoutCallbackUrl: 'payout_callback_url',
  eventUrl: 'event_url',
};

/** Names the columns, because the result of a prepared statement must not change when a newer version adds a column. */
const MERCHANT_COLUMNS = `m.merchant_id, ${Object.values(PROFILE_COLUMNS)
  .map((column) => `m.${column}`)
  .join(', ')}, m.state, m.settings, m.created_at`;

interface MerchantRow {
  readonly merchant_id: string;
  readonly name: string;
  readonly site_url: string | null;
  readonly process_url: string | null;
  readonly success_url: string | null;
  readonly fail_url: string | null;
  readonly payout_callback_url: string | null;
  readonly event_url: string | null;
  readonly state: MerchantState;
  readonly settings: Readonly<Record<string, string>>;
  readonly created_at: Instant;
}

interface KeyRow {
  readonly key_id: string;
  readonly purpose: KeyPurpose;
  readonly master_key_id: string;
  readonly wrapped_key: Buffer;
  readonly ciphertext: Buffer;
  readonly key_created_at: Instant;
  readonly retires_at: Instant | null;
  readonly first_used_at: Instant | null;
  readonly last_used_at: Instant | null;
}

type FoundRow = MerchantRow & { readonly revision: string } & (KeyRow | { readonly key_id: null });

/** Hashes the rows themselves, so that no writer has to maintain a counter. */
const REVISION = `hashtextextended(m::text || coalesce(
  (select string_agg(each::text, ' ' order by each.key_id) from merchant_keys as each where each.merchant_id = m.merchant_id), ''), 0)::text`;

/** Returns the revision of the merchant $1. The inner query repeats the value, or Citus would query all workers. */
const REVISION_OF_ONE = `hashtextextended(m::text || coalesce(
  (select string_agg(each::text, ' ' order by each.key_id) from merchant_keys as each where each.merchant_id = $1), ''), 0)::text`;

const REVISION_BY_ID = `select m.merchant_id, ${REVISION_OF_ONE} as revision from merchants as m where m.merchant_id = $1`;

const REVISIONS = `select m.merchant_id, ${REVISION} as revision from merchants as m where m.merchant_id = any($1::text[])`;

const KEY_COLUMNS = `k.key_id, k.purpose, k.master_key_id, k.wrapped_key, k.ciphertext, k.created_at as key_created_at, k.retires_at,
  k.first_used_at, k.last_used_at`;

/** Returns the merchant's columns once per key. The key columns are null if the merchant's last key has retired. */
const FIND = `
select ${MERCHANT_COLUMNS}, ${REVISION_OF_ONE} as revision, ${KEY_COLUMNS}
from merchants as m
left join merchant_keys as k on k.merchant_id = m.merchant_id and (k.retires_at is null or k.retires_at > $2)
where m.merchant_id = $1
order by k.retires_at is null desc, k.created_at desc, k.key_id`;

/** The later of two concurrent changes sees the earlier change. */
const LOCK = `select ${MERCHANT_COLUMNS} from merchants as m where m.merchant_id = $1 for no key update`;

export function createMerchantStore(database: Database): MerchantStore {
  return {
    create: (merchant, keys) => database.transaction((transaction) => create(transaction, merchant, keys)),
    find: async (merchantId, now) => {
      const rows = await database.prepared<FoundRow>('find-merchant', FIND, [merchantId, timestamp(now)]);
      const [first] = rows;
      return (
        first && {
          merchant: readMerchant(first),
          keys: rows.flatMap((row) => (row.key_id === null ? [] : [readKey(row)])),
          revision: first.revision,
        }
      );
    },
    revisions: async (merchantIds) => {
      type Row = Pick<FoundRow, 'merchant_id' | 'revision'>;
      const rows =
        merchantIds.length === 1
          ? await database.prepared<Row>('merchant-revision', REVISION_BY_ID, [merchantIds[0]])
          : await database.prepared<Row>('merchant-revisions', REVISIONS, [merchantIds]);
      return new Map(rows.map((row) => [row.merchant_id, row.revision]));
    },
    list: async () => {
      const rows = await database.query<MerchantRow>(
        `select ${MERCHANT_COLUMNS} from merchants as m order by m.created_at, m.merchant_id`,
      );
      return rows.map(readMerchant);
    },
    change: (merchantId, plan) =>
      database.transaction(async (transaction) => {
        const [row] = await transaction.query<MerchantRow>(LOCK, [merchantId]);
        const planned = row && plan(readMerchant(row));
        if (planned?.ok) await applyChange(transaction, merchantId, planned.value);
        return planned;
      }),
    addKey: (merchantId, key, retiresAt) =>
      database.transaction((transaction) => addKey(transaction, merchantId, key, retiresAt)),
    markKeyUsed: async (merchantId, keyId, at) => {
      await database.query(
        `update merchant_keys set first_used_at = coalesce(first_used_at, $3), last_used_at = greatest(last_used_at, $3)
         where merchant_id = $1 and key_id = $2`,
        [merchantId, keyId, timestamp(at)],
      );
    },
  };
}

async function create(transaction: Queryable, merchant: Merchant, keys: readonly StoredKey[]): Promise<boolean> {
  const created = await transaction.query(
    `insert into merchants (merchant_id, name, site_url, process_url, success_url, fail_url, payout_callback_url,
       event_url, state, settings, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict do nothing returning 1`,
    [
      merchant.merchantId,
      merchant.name,
      merchant.siteUrl,
      merchant.processUrl,
      merchant.successUrl,
      merchant.failUrl,
      merchant.payoutCallbackUrl,
      merchant.eventUrl,
      merchant.state,
      JSON.stringify(merchant.settings.raw),
      timestamp(merchant.createdAt),
    ],
  );
  if (created.length === 0) return false;
  for (const key of keys) await insertKey(transaction, merchant.merchantId, key);
  return true;
}

async function insertKey(transaction: Queryable, merchantId: MerchantId, key: StoredKey): Promise<void> {
  await transaction.query(
    `insert into merchant_keys (merchant_id, key_id, purpose, master_key_id, wrapped_key, ciphertext, created_at, retires_at,
       first_used_at, last_used_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      merchantId,
      key.keyId,
      key.purpose,
      key.sealed.masterKeyId,
      key.sealed.wrappedKey,
      key.sealed.ciphertext,
      timestamp(key.createdAt),
      timestampOrNull(key.retiresAt),
      timestampOrNull(key.firstUsedAt),
      timestampOrNull(key.lastUsedAt),
    ],
  );
}

/** The caller must hold the lock on the merchant. */
async function applyChange(transaction: Queryable, merchantId: MerchantId, change: MerchantChange): Promise<void> {
  const values: unknown[] = [merchantId];
  const assignments: string[] = [];
  const assign = (column: string, value: unknown, expression = (parameter: string) => parameter) => {
    if (value === undefined) return;
    values.push(value);
    assignments.push(`${column} = ${expression(`$${values.length}`)}`);
  };
  for (const [field, column] of Object.entries(PROFILE_COLUMNS)) assign(column, change[field as keyof MerchantProfile]);
  assign('state', change.state);
  const settings = change.settings && JSON.stringify(change.settings);
  assign('settings', settings, (parameter) => `jsonb_strip_nulls(settings || ${parameter}::jsonb)`);
  if (assignments.length === 0) return;
  await transaction.query(`update merchants set ${assignments.join(', ')} where merchant_id = $1`, values);
}

/**
 * The lock on the merchant orders rotations. Retired keys of this purpose are deleted, because nothing may use them. A key that
 * was already old retires now, and the current key at `retiresAt`.
 */
async function addKey(
  transaction: Queryable,
  merchantId: MerchantId,
  key: StoredKey,
  retiresAt: Instant,
): Promise<StoredKey> {
  const now = timestamp(key.createdAt);
  await transaction.query('select 1 from merchants where merchant_id = $1 for update', [merchantId]);
  const [existing] = await transaction.query<KeyRow>(
    `select ${KEY_COLUMNS} from merchant_keys as k where k.merchant_id = $1 and k.key_id = $2`,
    [merchantId, key.keyId],
  );
  if (existing) return readKey(existing);
  await transaction.query(
    `delete from merchant_keys
     where merchant_id = $1 and purpose = $4 and (retires_at is not null or $2 <= $3::timestamptz)`,
    [merchantId, timestamp(retiresAt), now, key.purpose],
  );
  await transaction.query('update merchant_keys set retires_at = $2 where merchant_id = $1 and purpose = $3', [
    merchantId,
    timestamp(retiresAt),
    key.purpose,
  ]);
  await insertKey(transaction, merchantId, key);
  return key;
}

function readMerchant(row: MerchantRow): Merchant {
  const settings = readMerchantSettings(row.settings);
  invariant(settings.ok, `merchant ${row.merchant_id} has a setting unknown to this version`);
  return {
    merchantId: row.merchant_id,
    name: row.name,
    siteUrl: row.site_url,
    processUrl: row.process_url,
    successUrl: row.success_url,
    failUrl: row.fail_url,
    payoutCallbackUrl: row.payout_callback_url,
    eventUrl: row.event_url,
    state: row.state,
    settings: settings.value,
    createdAt: row.created_at,
  };
}

function readKey(row: KeyRow): StoredKey {
  return {
    keyId: row.key_id,
    purpose: row.purpose,
    sealed: readSealed(row),
    createdAt: row.key_created_at,
    retiresAt: row.retires_at,
    firstUsedAt: row.first_used_at,
    lastUsedAt: row.last_used_at,
  };
}

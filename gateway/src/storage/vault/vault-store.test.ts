import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { createTestDatabase } from '../../../test/support/postgres/postgres.ts';
import { until } from '../../../test/support/tools/until.ts';
import {
  createKeyring,
  createMasterKey,
  createSealer,
  createVault,
  type MasterKey,
  UnknownMasterKey,
} from '../../domain/vault/create-vault.ts';
import { destroyExpiredRecords } from '../../domain/vault/destroy-expired-records.ts';
import { openFingerprintKey } from '../../domain/vault/open-fingerprint-key.ts';
import { type RotationProgress, rotateMasterKey } from '../../domain/vault/rotate-master-key.ts';
import type { Vault, VaultRecord } from '../../domain/vault/vault.ts';
import { type Clock, createManualClock, DAY_MS } from '../../foundation/clock.ts';
import { systemRandom } from '../../foundation/random.ts';
import { Secret } from '../../foundation/secret.ts';
import { openDatabase } from '../core/database.ts';
import { createVaultStore } from './vault-store.ts';

const AT = Date.UTC(2026, 10, 21);
const CARD = '5300111122223333';
const oldKey = createMasterKey(Buffer.alloc(32, 1));
const newKey = createMasterKey(Buffer.alloc(32, 2));

const testDatabase = await createTestDatabase();
const database = openDatabase(testDatabase.config, { poolSize: 4 });
const store = createVaultStore(database);
after(async () => {
  await database.close();
  await testDatabase.close();
});
beforeEach(() => testDatabase.pool.query('truncate vault_records, vault_keys, merchant_keys, merchants'));

/** A clock whose sleeps take no time. `duringSleep` runs during each of them. */
function clockThatSkips(duringSleep: () => Promise<unknown> = async () => undefined): Clock {
  const clock = createManualClock(0);
  return { now: clock.now, sleep: async () => void (await duringSleep()) };
}

async function vaultUnder(...keys: [MasterKey, ...MasterKey[]]): Promise<Vault> {
  const keyring = createKeyring(keys);
  return createVault(
    keyring,
    await openFingerprintKey(store, createSealer(keyring, systemRandom), systemRandom),
    systemRandom,
  );
}

async function insertRecord(
  { merchantId, token, sealed }: VaultRecord,
  destroyAt: number | null = null,
): Promise<void> {
  await testDatabase.pool.query('insert into vault_records values ($1, $2, $3, $4, $5, now(), to_timestamp($6))', [
    merchantId,
    token,
    sealed.masterKeyId,
    sealed.wrappedKey,
    sealed.ciphertext,
    destroyAt === null ? null : destroyAt / 1000,
  ]);
}

async function rotate(keys: [MasterKey, ...MasterKey[]], clock = clockThatSkips()) {
  const progress: RotationProgress[] = [];
  const parts = { store, keyring: createKeyring(keys), random: systemRandom, clock };
  return { report: await rotateMasterKey(parts, (step) => progress.push(step)), progress };
}

async function openStored(vault: Vault, { merchantId, token }: VaultRecord): Promise<string | undefined> {
  const record = await store.find(merchantId, token);
  return record && vault.openFields(record)['account']?.reveal();
}

test('concurrent first starts agree on one fingerprint key', async () => {
  const vaults = await Promise.all(Array.from({ length: 8 }, () => vaultUnder(oldKey)));
  const hashes = new Set(vaults.map((vault) => vault.fingerprint(new Secret(CARD)).toString('hex')));
  assert.equal(hashes.size, 1);
});

test('a process without the database’s master key fails with the id of the missing key', async () => {
  await vaultUnder(oldKey);
  await assert.rejects(
    vaultUnder(newKey),
    (error) => error instanceof UnknownMasterKey && error.masterKeyId === oldKey.id,
  );
});

test('a rotation does not leave a record under the old key, and all records open without it', async () => {
  const vault = await vaultUnder(oldKey);
  const records = Array.from({ length: 1_203 }, (_, index) =>
    vault.sealFields(index % 2 ? 'M1' : 'M2', AT, { account: new Secret(`${CARD}${index}`) }),
  );
  for (const record of records) await insertRecord(record);
  await testDatabase.pool.query(
    `insert into merchants values ('M1', 'Shop', null, null, null, null, null, null, 'test', '{}', now())`,
  );
  const key = vault.seal(new Secret('SecRetKey0123'), 'merchant-key/M1/k1');
  await testDatabase.pool.query(`insert into merchant_keys values ('M1', 'k1', $1, $2, $3, now())`, [
    key.masterKeyId,
    key.wrappedKey,
    key.ciphertext,
  ]);

  const { report, progress } = await rotate([newKey, oldKey]);

  assert.deepEqual(report, { masterKeyId: newKey.id, rewrapped: 1_205, unopened: [] });
  assert.deepEqual(await store.masterKeyIds(), [newKey.id]);
  assert.deepEqual(progress[0], { table: 'vault_records', done: 500, total: 1_203 });
  const afterwards = await vaultUnder(newKey);
  assert.deepEqual(afterwards.fingerprint(new Secret(CARD)), vault.fingerprint(new Secret(CARD)));
  for (const [index, record] of records.entries())
    assert.equal(await openStored(afterwards, record), `${CARD}${index}`);
});

test('a rotation re-wraps records that a running process seals under the old key during the rotation', async () => {
  const vault = await vaultUnder(oldKey);
  const late = vault.sealFields('M1', AT, { account: new Secret(CARD) });
  let pauses = 0;
  const clock = clockThatSkips(async () => {
    if (pauses++ === 0) await insertRecord(late);
  });
  const { report } = await rotate([newKey, oldKey], clock);
  assert.equal(report.rewrapped, 2);
  assert.equal(await openStored(await vaultUnder(newKey), late), CARD);
});

test('a second rotation does not re-wrap anything', async () => {
  const vault = await vaultUnder(oldKey);
  await insertRecord(vault.sealFields('M1', AT, { account: new Secret(CARD) }));
  await rotate([newKey, oldKey]);
  assert.equal((await rotate([newKey, oldKey])).report.rewrapped, 0);
});

test('a rotation reports a record that no key opens, leaves it unchanged and continues', async () => {
  const vault = await vaultUnder(oldKey);
  const whole = vault.sealFields('M1', AT, { account: new Secret(CARD) });
  const damaged = vault.sealFields('M1', AT, { account: new Secret(CARD) });
  await insertRecord(whole);
  await insertRecord({ ...damaged, sealed: { ...damaged.sealed, wrappedKey: Buffer.alloc(60) } });
  const { report } = await rotate([newKey, oldKey]);
  assert.deepEqual(report.unopened, [`record/M1/${damaged.token}`]);
  assert.equal(await openStored(await vaultUnder(newKey), whole), CARD);
  assert.deepEqual(await store.masterKeyIds(), [oldKey.id, newKey.id].sort());
});

test('a vault record is destroyed when it is due, and other records are kept', async () => {
  const vault = await vaultUnder(oldKey);
  const now = 100 * DAY_MS;
  const seal = () => vault.sealFields('M1', AT, { account: new Secret(CARD) });
  const [due, notYet, open] = [seal(), seal(), seal()];
  await insertRecord(due, now);
  await insertRecord(notYet, now + 1_000);
  await insertRecord(open, null);
  assert.equal(await destroyExpiredRecords({ vaultStore: store, clock: createManualClock(now) }), 1);
  const kept = [due, notYet, open].map(({ merchantId, token }) => store.find(merchantId, token));
  assert.deepEqual((await Promise.all(kept)).map(Boolean), [false, true, true]);
});

test('the vault record of a payout is destroyed at the time stored in vault_expiries', async () => {
  const vault = await vaultUnder(oldKey);
  const now = 100 * DAY_MS;
  await testDatabase.pool.query(
    `insert into merchants (merchant_id, name, state, created_at) values ('M1', 'M1', 'test', now())`,
  );
  const records = [now, now + 1_000].map((destroyAt) => ({
    record: vault.sealFields('M1', AT, { account: new Secret(CARD) }),
    destroyAt,
  }));
  for (const { record, destroyAt } of records) {
    await insertRecord(record, null);
    await testDatabase.pool.query('insert into vault_expiries values ($1, $2, $3)', [
      record.merchantId,
      new Date(destroyAt),
      record.token,
    ]);
  }
  assert.equal(await destroyExpiredRecords({ vaultStore: store, clock: createManualClock(now) }), 1);
  const kept = records.map(({ record: { merchantId, token } }) => store.find(merchantId, token));
  assert.deepEqual((await Promise.all(kept)).map(Boolean), [false, true]);
  assert.equal(await destroyExpiredRecords({ vaultStore: store, clock: createManualClock(now) }), 0);
});

test('the destruction of vault records continues in batches until no record is due', async () => {
  const record = (await vaultUnder(oldKey)).sealFields('M1', AT, {});
  await insertRecord(record, 0);
  await testDatabase.pool.query(`insert into vault_records select 'M2', 't' || n, master_key_id, wrapped_key, ciphertext, created_at, destroy_at
    from vault_records, generate_series(1, 2300) as n`);
  assert.equal(await destroyExpiredRecords({ vaultStore: store, clock: createManualClock(DAY_MS) }), 2_301);
});

/** Each work locks the first records of its order and waits for the one that another transaction holds. */
async function meet(first: () => Promise<unknown>, second: () => Promise<unknown>, held: string): Promise<void> {
  const waiting = (count: number) =>
    until(
      `${count} connections wait for a record`,
      async () => {
        const { rows } = await testDatabase.pool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rows.length === count;
      },
      20_000,
    );
  const holder = await testDatabase.pool.connect();
  const works: Promise<unknown>[] = [];
  try {
    await holder.query('begin');
    await holder.query('select from vault_records where token = $1 for update', [held]);
    works.push(first());
    await waiting(1);
    works.push(second());
    await waiting(2);
  } finally {
    await holder.query('commit');
    holder.release();
    await Promise.allSettled(works);
  }
  // A deadlock rejects one of them.
  await Promise.all(works);
}

/** The first due record is the last in the order of tokens. Returns the tokens in their order. */
async function insertDueBackwards(time: (token: string, second: number) => Promise<unknown>): Promise<string[]> {
  const vault = await vaultUnder(oldKey);
  const records = Array.from({ length: 9 }, () => vault.sealFields('M1', AT, {}));
  const tokens = records.map(({ token }) => token).sort();
  for (const record of records) await insertRecord(record);
  for (const [index, token] of tokens.entries()) await time(token, 100 - index);
  return tokens;
}

const DUE = {
  'a record with its own time': 'update vault_records set destroy_at = to_timestamp($2) where token = $1',
  'the record of a payout': `insert into vault_expiries values ('M1', to_timestamp($2), $1)`,
};

for (const [what, statement] of Object.entries(DUE))
  test(`the rotation does not deadlock with the destruction of ${what}`, async () => {
    await testDatabase.pool.query(
      `insert into merchants (merchant_id, name, state, created_at) values ('M1', 'M1', 'test', now())`,
    );
    const tokens = await insertDueBackwards((...values) => testDatabase.pool.query(statement, values));
    const rotateAll = () => rotate([newKey, oldKey]);
    const destroyAll = () => destroyExpiredRecords({ vaultStore: store, clock: createManualClock(DAY_MS) });
    await meet(rotateAll, destroyAll, tokens[4] ?? '');
    assert.equal((await testDatabase.pool.query('select from vault_records')).rows.length, 0);
  });

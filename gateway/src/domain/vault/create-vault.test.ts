import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { createSeededRandom, systemRandom } from '../../foundation/random.ts';
import { Secret } from '../../foundation/secret.ts';
import {
  createKeyring,
  createMasterKey,
  createSealer,
  createVault,
  recordPlace,
  SealBroken,
  UnknownMasterKey,
} from './create-vault.ts';
import type { SealedSecret, VaultRecord } from './vault.ts';

const AT = Date.UTC(2026, 10, 21);
const CARD = '5300111122223333';
const oldKey = createMasterKey(Buffer.alloc(32, 1));
const newKey = createMasterKey(Buffer.alloc(32, 2));
const fingerprintKey = new Secret(Buffer.alloc(32, 3).toString('base64'));
const vault = createVault(createKeyring([oldKey]), fingerprintKey, systemRandom);
const rotated = createVault(createKeyring([newKey, oldKey]), fingerprintKey, systemRandom);

const merchantIds = fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/);
const fieldTexts = fc.dictionary(fc.stringMatching(/^[a-z_]{1,20}$/), fc.string({ unit: 'binary', maxLength: 300 }));

function secretFields(texts: Readonly<Record<string, string>>): Record<string, Secret> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, new Secret(text)]));
}

function withByteChanged(bytes: Buffer, at: number, by: number): Buffer {
  const changed = Buffer.from(bytes);
  const index = at % changed.length;
  changed[index] = (changed[index] ?? 0) ^ by;
  return changed;
}

test('a secret sealed for a merchant opens for that merchant, byte for byte', () => {
  fc.assert(
    fc.property(merchantIds, fieldTexts, (merchantId, texts) => {
      const opened = vault.openFields(vault.sealFields(merchantId, AT, secretFields(texts)));
      const revealed = Object.fromEntries(Object.entries(opened).map(([name, secret]) => [name, secret.reveal()]));
      assert.deepEqual(revealed, { ...texts });
    }),
  );
});

test('a vault record with any changed byte does not open', () => {
  const record = vault.sealFields('M1', AT, { account: new Secret(CARD) });
  for (const part of ['wrappedKey', 'ciphertext'] as const) {
    for (let at = 0; at < record.sealed[part].length; at++) {
      const changed = withByteChanged(record.sealed[part], at, 1 << (at % 8));
      assert.throws(() => vault.openFields({ ...record, sealed: { ...record.sealed, [part]: changed } }), SealBroken);
    }
    for (const cut of [0, 10, record.sealed[part].length - 1]) {
      const sealed = { ...record.sealed, [part]: record.sealed[part].subarray(0, cut) };
      assert.throws(() => vault.openFields({ ...record, sealed }), SealBroken);
    }
  }
});

test('a vault record opens only under its merchant and its token', () => {
  fc.assert(
    fc.property(merchantIds, merchantIds, (merchantId, otherId) => {
      fc.pre(merchantId !== otherId);
      const record = vault.sealFields(merchantId, AT, { account: new Secret(CARD) });
      assert.throws(() => vault.openFields({ ...record, merchantId: otherId }), SealBroken);
      assert.throws(() => vault.openFields({ ...record, token: `${record.token}x` }), SealBroken);
    }),
  );
});

test('vault tokens sort by time, whatever their random part', () => {
  const tokens = [0, 35, 36, AT - 1, AT, AT + 1].map((at) => vault.sealFields('M1', at, {}).token);
  assert.deepEqual(tokens.toSorted(), tokens);
});

test('a vault record does not open with the wrapped key or ciphertext of another record', () => {
  const left = vault.sealFields('M1', AT, { account: new Secret(CARD) });
  const right = vault.sealFields('M1', AT, { account: new Secret(CARD) });
  assert.throws(
    () => vault.openFields({ ...left, sealed: { ...left.sealed, wrappedKey: right.sealed.wrappedKey } }),
    SealBroken,
  );
  assert.throws(
    () => vault.openFields({ ...left, sealed: { ...left.sealed, ciphertext: right.sealed.ciphertext } }),
    SealBroken,
  );
});

test('a single secret opens only under its bound name', () => {
  const sealed = vault.seal(new Secret('SecRetKey0123'), 'merchant-key/M1/k1');
  assert.equal(vault.open(sealed, 'merchant-key/M1/k1').reveal(), 'SecRetKey0123');
  assert.throws(() => vault.open(sealed, 'merchant-key/M2/k1'), SealBroken);
});

test('the same fields sealed twice share no token, key or ciphertext', () => {
  const records = Array.from({ length: 200 }, () => vault.sealFields('M1', AT, { account: new Secret(CARD) }));
  const distinct = (of: (record: VaultRecord) => string) => new Set(records.map(of)).size;
  assert.equal(
    distinct(({ token }) => token),
    200,
  );
  assert.equal(
    distinct(({ sealed }) => sealed.wrappedKey.toString('hex')),
    200,
  );
  assert.equal(
    distinct(({ sealed }) => sealed.ciphertext.toString('hex')),
    200,
  );
  const nonces = records.flatMap(({ sealed }) =>
    [sealed.wrappedKey, sealed.ciphertext].map((part) => part.subarray(0, 12).toString('hex')),
  );
  assert.equal(new Set(nonces).size, 400);
});

test('after a master key rotation, old secrets still open and new secrets use the new key', () => {
  const before = vault.sealFields('M1', AT, { account: new Secret(CARD) });
  assert.equal(rotated.openFields(before)['account']?.reveal(), CARD);
  assert.equal(rotated.sealFields('M1', AT, {}).sealed.masterKeyId, newKey.id);
});

test('rewrapping moves a secret to the current master key and keeps its ciphertext', () => {
  const record = vault.sealFields('M1', AT, { account: new Secret(CARD) });
  const sealed = rotated.rewrap(record.sealed, recordPlace('M1', record.token)) as SealedSecret;
  assert.equal(sealed.masterKeyId, newKey.id);
  assert.deepEqual(sealed.ciphertext, record.sealed.ciphertext);
  const withoutOldKey = createVault(createKeyring([newKey]), fingerprintKey, systemRandom);
  assert.equal(withoutOldKey.openFields({ ...record, sealed })['account']?.reveal(), CARD);
  assert.equal(rotated.rewrap(sealed, recordPlace('M1', record.token)), undefined);
});

test('opening a secret without its master key throws an error with the key’s id', () => {
  const record = rotated.sealFields('M1', AT, {});
  assert.throws(
    () => vault.openFields(record),
    (error) => error instanceof UnknownMasterKey && error.masterKeyId === newKey.id,
  );
});

test('a wrapped key does not open under another master key, even with a forged id', () => {
  const record = rotated.sealFields('M1', AT, {});
  assert.throws(
    () => vault.openFields({ ...record, sealed: { ...record.sealed, masterKeyId: oldKey.id } }),
    SealBroken,
  );
});

test('the keyed hash of a secret is equal under every master key, and differs under a different hash key', () => {
  const card = new Secret(CARD);
  assert.deepEqual(vault.fingerprint(card), rotated.fingerprint(new Secret(CARD)));
  assert.equal(vault.fingerprint(card).length, 32);
  assert.notDeepEqual(vault.fingerprint(card), vault.fingerprint(new Secret('5300111122223334')));
  const otherKey = new Secret(Buffer.alloc(32, 4).toString('base64'));
  const other = createVault(createKeyring([oldKey]), otherKey, systemRandom);
  assert.notDeepEqual(vault.fingerprint(card), other.fingerprint(card));
});

test('no object from the vault prints a card number or a master key', () => {
  const record = vault.sealFields('M1', AT, { account: new Secret(CARD) });
  const things = [record, vault.openFields(record), vault, oldKey, createKeyring([oldKey]), fingerprintKey];
  const printed = things.flatMap((thing) => [
    JSON.stringify(thing),
    inspect(thing, { depth: 9, showHidden: true }),
    String(thing),
  ]);
  const texts = [...printed, record.sealed.ciphertext.toString('latin1'), record.sealed.wrappedKey.toString('latin1')];
  for (const text of texts) {
    for (const planted of [
      CARD,
      Buffer.from(CARD).toString('base64'),
      Buffer.from(CARD).toString('hex'),
      '01010101',
      '1, 1, 1, 1',
    ]) {
      assert.ok(!text.includes(planted), `${planted} shows`);
    }
  }
});

test('the id of a master key does not reveal anything about the key and is equal on every machine', () => {
  assert.match(oldKey.id, /^[0-9a-f]{16}$/);
  assert.equal(createMasterKey(Buffer.alloc(32, 1)).id, oldKey.id);
  assert.notEqual(newKey.id, oldKey.id);
});

test('sealing with the same seed yields the same bytes, so that a simulation can be replayed', () => {
  const sealWith = (seed: string) =>
    createSealer(createKeyring([oldKey]), createSeededRandom(seed)).seal(new Secret('x'), 'p');
  assert.deepEqual(sealWith('a'), sealWith('a'));
  assert.notDeepEqual(sealWith('a'), sealWith('b'));
});

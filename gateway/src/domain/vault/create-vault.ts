/**
 * The vault. It encrypts each secret under a separate data key, and wraps that key under the master key. A rotation of the
 * master key therefore re-wraps 32 bytes per secret and never touches the ciphertext.
 *
 * The wrapped key is bound to its place and to the master key's id. The ciphertext is bound only to its place, because it
 * outlives the master key. A place is a path (`record/M1/…`). Merchant ids contain no slash, so no two places have the same
 * path.
 */
import { createCipheriv, createDecipheriv, createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { invariant } from '../../foundation/invariant.ts';
import { keyedHash } from '../../foundation/keyed-hash.ts';
import type { Random } from '../../foundation/random.ts';
import { Secret } from '../../foundation/secret.ts';
import type { SealedSecret, SecretFields, Vault, VaultRecord } from './vault.ts';

/** Each value is stored as nonce ‖ ciphertext ‖ tag. The associated data identifies where it is stored. */
const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const OPTIONS = { authTagLength: TAG_BYTES };

/** The key is a KeyObject, because Node would convert plain bytes on every call, at ten times the cost. */
function encrypt(key: KeyObject, nonce: Buffer, plain: Buffer, associated: Buffer): Buffer {
  const cipher = createCipheriv(ALGORITHM, key, nonce, OPTIONS);
  cipher.setAAD(associated);
  const body = cipher.update(plain);
  cipher.final();
  return Buffer.concat([nonce, body, cipher.getAuthTag()]);
}

/** Returns undefined if the key, the associated data or any byte differs from the sealed one. */
function decrypt(key: KeyObject, sealed: Buffer, associated: Buffer): Buffer | undefined {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES), OPTIONS);
  decipher.setAAD(associated);
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  const plain = decipher.update(sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES));
  try {
    decipher.final();
  } catch {
    return undefined;
  }
  return plain;
}

const DATA_KEY_BYTES = 32;
const SEAL_RANDOM_BYTES = DATA_KEY_BYTES + 2 * NONCE_BYTES;
const TOKEN_RANDOM_BYTES = 12;

/** Returns the place to which a vault record is bound. */
export function recordPlace(merchantId: MerchantId, token: string): string {
  return `record/${merchantId}/${token}`;
}

/**
 * The time comes first, so that the cards of one hour are adjacent in the index. Random tokens would touch another
 * index page for each card. In a table of millions of rows, this costs more than all other writes of a payout.
 */
function tokenOf(at: Instant, random: Buffer): string {
  return `${at.toString(36).padStart(8, '0')}${random.toString('base64url')}`;
}

/** Returns the place to which a merchant's signing key is bound. */
export function merchantKeyPlace(merchantId: MerchantId, keyId: string): string {
  return `merchant-key/${merchantId}/${keyId}`;
}

/** The part of the vault that works without the key of the keyed hash. It seals and opens that key itself. */
export type Sealer = Pick<Vault, 'seal' | 'open' | 'rewrap'>;

export function createSealer(keyring: Keyring, random: Random): Sealer {
  return {
    seal: (secret, boundTo) => {
      const plain = Buffer.from(secret.reveal(), 'utf8');
      return sealBytes(keyring.current(), random.bytes(SEAL_RANDOM_BYTES), plain, boundTo);
    },
    open: (sealed, boundTo) => new Secret(openBytes(keyring, sealed, boundTo).toString('utf8')),
    rewrap: (sealed, boundTo) => rewrap(keyring, random, sealed, boundTo),
  };
}

/** `fingerprintKey` is the key of the keyed hash, 32 bytes in base64 (open-fingerprint-key.ts). */
export function createVault(keyring: Keyring, fingerprintKey: Secret, random: Random): Vault {
  return {
    ...createSealer(keyring, random),
    sealFields: (merchantId, at, fields) => {
      const drawn = random.bytes(TOKEN_RANDOM_BYTES + SEAL_RANDOM_BYTES);
      const token = tokenOf(at, drawn.subarray(0, TOKEN_RANDOM_BYTES));
      const place = recordPlace(merchantId, token);
      const sealed = sealBytes(keyring.current(), drawn.subarray(TOKEN_RANDOM_BYTES), writeFields(fields), place);
      return { merchantId, token, sealed };
    },
    openFields: (record) => openFields(keyring, record),
    fingerprint: (secret) => keyedHash(fingerprintKey, secret.reveal()),
  };
}

function openFields(keyring: Keyring, { merchantId, token, sealed }: VaultRecord): SecretFields {
  return readFields(openBytes(keyring, sealed, recordPlace(merchantId, token)));
}

function wrapPlace(place: string, masterKeyId: string): Buffer {
  return Buffer.from(`wrap/${masterKeyId}/${place}`, 'utf8');
}

function contentPlace(place: string): Buffer {
  return Buffer.from(`content/${place}`, 'utf8');
}

/** `random` contains fresh bytes for the data key and both nonces, in one draw, because each call costs more than its bytes. */
function sealBytes(master: MasterKey, random: Buffer, plain: Buffer, place: string): SealedSecret {
  const dataKey = random.subarray(0, DATA_KEY_BYTES);
  const wrapNonce = random.subarray(DATA_KEY_BYTES, DATA_KEY_BYTES + NONCE_BYTES);
  const contentNonce = random.subarray(DATA_KEY_BYTES + NONCE_BYTES);
  const wrappedKey = encrypt(master.key, wrapNonce, dataKey, wrapPlace(place, master.id));
  const ciphertext = encrypt(createSecretKey(dataKey), contentNonce, plain, contentPlace(place));
  return { masterKeyId: master.id, wrappedKey, ciphertext };
}

function openDataKey(keyring: Keyring, sealed: SealedSecret, place: string): Buffer {
  const master = keyring.find(sealed.masterKeyId);
  if (!master) throw new UnknownMasterKey(sealed.masterKeyId);
  const dataKey = decrypt(master.key, sealed.wrappedKey, wrapPlace(place, master.id));
  if (dataKey?.length !== DATA_KEY_BYTES) throw new SealBroken(place);
  return dataKey;
}

function openBytes(keyring: Keyring, sealed: SealedSecret, place: string): Buffer {
  const dataKey = createSecretKey(openDataKey(keyring, sealed, place));
  const plain = decrypt(dataKey, sealed.ciphertext, contentPlace(place));
  if (!plain) throw new SealBroken(place);
  return plain;
}

function rewrap(keyring: Keyring, random: Random, sealed: SealedSecret, place: string): SealedSecret | undefined {
  const master = keyring.current();
  if (sealed.masterKeyId === master.id) return undefined;
  const dataKey = openDataKey(keyring, sealed, place);
  const wrappedKey = encrypt(master.key, random.bytes(NONCE_BYTES), dataKey, wrapPlace(place, master.id));
  return { masterKeyId: master.id, wrappedKey, ciphertext: sealed.ciphertext };
}

function writeFields(fields: SecretFields): Buffer {
  const texts = Object.entries(fields).map(([name, secret]) => [name, secret.reveal()]);
  return Buffer.from(JSON.stringify(texts), 'utf8');
}

function readFields(plain: Buffer): SecretFields {
  const texts = JSON.parse(plain.toString('utf8')) as readonly (readonly [string, string])[];
  return Object.fromEntries(texts.map(([name, text]) => [name, new Secret(text)]));
}

export const MASTER_KEY_BYTES = 32;

export interface MasterKey {
  /** Derived from the key without revealing it, and stored with every secret that the key sealed. */
  readonly id: string;
  /** A KeyObject instead of bytes, because it never prints key material. */
  readonly key: KeyObject;
}

/**
 * Master keys: one that seals, and older keys that still open their sealed values. This module must not know their source
 * (environment, file).
 */
export interface Keyring {
  /** Returns the key that seals new secrets. */
  current(): MasterKey;
  /** Returns the key with that id, or undefined if this process does not have the key. */
  find(id: string): MasterKey | undefined;
  /** The ids of its keys. Null if the keys are in a file, in which the process finds new keys automatically. */
  readonly ids: readonly string[] | null;
}

export function createMasterKey(bytes: Buffer): MasterKey {
  invariant(bytes.length === MASTER_KEY_BYTES, 'master key is not 32 bytes');
  const id = createHmac('sha256', bytes).update('gateway master key id').digest('hex').slice(0, 16);
  return { id, key: createSecretKey(bytes) };
}

/** A keyring that never changes. The first key is the current key. */
export function createKeyring(keys: readonly [MasterKey, ...MasterKey[]]): Keyring {
  const byId = new Map(keys.map((key) => [key.id, key]));
  const [current] = keys;
  return { current: () => current, find: (id) => byId.get(id), ids: [...byId.keys()] };
}

/** Thrown if a secret was sealed under a master key that this process does not have. The message is for operators. */
export class UnknownMasterKey extends Error {
  override readonly name = 'UnknownMasterKey';
  readonly masterKeyId: string;

  constructor(masterKeyId: string) {
    super(`the master key ${masterKeyId} is not configured`);
    this.masterKeyId = masterKeyId;
  }
}

/** Thrown if a secret does not open: its bytes changed, it moved to another place, or it is forged. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';

  constructor(place: string) {
    super(`the secret at ${place} cannot be decrypted: its record was changed or moved`);
  }
}

/**
 * Master keys: one that seals, and older ones that still open what they sealed. This file must not know their source
 * (environment, file).
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { invariant } from '../../foundation/invariant.ts';

export const MASTER_KEY_BYTES = 32;

export interface MasterKey {
  /** Derived from the key without revealing it, and stored beside every secret that the key sealed. */
  readonly id: string;
  /** A KeyObject instead of bytes, because it prints no key material. */
  readonly key: KeyObject;
}

export interface Keyring {
  /** The key that seals new secrets. */
  current(): MasterKey;
  /** The key with that id, or undefined if this process does not have it. */
  find(id: string): MasterKey | undefined;
  /** The ids of its keys. Null: the keys are in a file, in which the process finds new ones itself. */
  readonly ids: readonly string[] | null;
}

export function createMasterKey(bytes: Buffer): MasterKey {
  invariant(bytes.length === MASTER_KEY_BYTES, 'a master key has 32 bytes');
  const id = createHmac('sha256', bytes).update('gateway master key id').digest('hex').slice(0, 16);
  return { id, key: createSecretKey(bytes) };
}

/** A keyring that never changes. The first key is the current one. */
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
    super(`no master key of id ${masterKeyId} is at hand`);
    this.masterKeyId = masterKeyId;
  }
}

/** Thrown if a secret does not open: its bytes changed, it moved to another place, or it is a forgery. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';

  constructor(place: string) {
    super(`the secret at ${place} does not open: it was changed or moved`);
  }
}

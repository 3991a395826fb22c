/**
 * Master keys: one that seals, and those before it that still open what they sealed. Where they come from (environment,
 * file) is not known here.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { invariant } from '../../foundation/invariant.ts';

export const MASTER_KEY_BYTES = 32;

export interface MasterKey {
  /** Follows from the key, tells nothing about it, and is stored beside everything that the key sealed. */
  readonly id: string;
  /** A KeyObject rather than bytes: it shows nothing when it is printed. */
  readonly key: KeyObject;
}

export interface Keyring {
  /** The key under which new secrets are sealed. */
  current(): MasterKey;
  /** The key of that id, or undefined when this process has not been given it. */
  find(id: string): MasterKey | undefined;
}

export function createMasterKey(bytes: Buffer): MasterKey {
  invariant(bytes.length === MASTER_KEY_BYTES, 'a master key has 32 bytes');
  const id = createHmac('sha256', bytes).update('gateway master key id').digest('hex').slice(0, 16);
  return { id, key: createSecretKey(bytes) };
}

/** A keyring that never changes; the first key is the current one. */
export function createKeyring(keys: readonly [MasterKey, ...MasterKey[]]): Keyring {
  const byId = new Map(keys.map((key) => [key.id, key]));
  const [current] = keys;
  return { current: () => current, find: (id) => byId.get(id) };
}

/** Thrown when a secret was sealed under a master key that this process does not hold. The message is for operators. */
export class UnknownMasterKey extends Error {
  override readonly name = 'UnknownMasterKey';
  readonly masterKeyId: string;

  constructor(masterKeyId: string) {
    super(`no master key of id ${masterKeyId} is at hand`);
    this.masterKeyId = masterKeyId;
  }
}

/** Thrown when a secret does not open: it was changed, moved to another place, or never was what it claims to be. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';

  constructor(place: string) {
    super(`the secret at ${place} does not open: it was changed or moved`);
  }
}

/**
 * The key of the keyed hash: created once per database at the first start, sealed under the master key, and never
 * replaced. If it changed, the gateway would no longer recognise repeated requests.
 */
import type { Random } from '../../foundation/random.ts';
import { Secret } from '../../foundation/secret.ts';
import type { Sealer } from './create-vault.ts';
import type { VaultStore } from './vault-store.ts';

const FINGERPRINT_KEY_BYTES = 32;

/** Returns the place to which a key of the vault is bound, by its name. */
export const vaultKeyPlace = (name: string) => `vault-key/${name}`;

/** The place to which the fingerprint key is bound. */
export const FINGERPRINT_KEY_PLACE = vaultKeyPlace('fingerprint');

/**
 * Opens the key, or creates it if there is none. Processes that start together all get the same key. Throws
 * UnknownMasterKey if this process does not have the master key that sealed it.
 */
export async function openFingerprintKey(store: VaultStore, sealer: Sealer, random: Random): Promise<Secret> {
  const stored = (await store.findFingerprintKey()) ?? (await makeFingerprintKey(store, sealer, random));
  return sealer.open(stored, FINGERPRINT_KEY_PLACE);
}

function makeFingerprintKey(store: VaultStore, sealer: Sealer, random: Random) {
  const key = new Secret(random.bytes(FINGERPRINT_KEY_BYTES).toString('base64'));
  return store.keepFirstFingerprintKey(sealer.seal(key, FINGERPRINT_KEY_PLACE));
}

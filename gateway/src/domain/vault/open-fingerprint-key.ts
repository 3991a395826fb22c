/**
 * The key of the keyed hash: made once per database, at the first start, sealed under the master key, the same for ever.
 * It must not change when the master key does, or repeated requests would no longer be recognised.
 */
import type { Random } from '../../foundation/ids.ts';
import { Secret } from '../../foundation/secret.ts';
import type { Sealer } from './create-vault.ts';
import type { VaultStore } from './vault-store.ts';

const FINGERPRINT_KEY_BYTES = 32;

/** The name that the fingerprint key is bound to. */
export const FINGERPRINT_KEY_PLACE = 'vault-key/fingerprint';

/**
 * Opens the key, or makes it when there is none; of processes that start together all get the same one. Throws
 * UnknownMasterKey when this process was not given the master key that sealed it.
 */
export async function openFingerprintKey(store: VaultStore, sealer: Sealer, random: Random): Promise<Secret> {
  const stored = (await store.findFingerprintKey()) ?? (await makeFingerprintKey(store, sealer, random));
  return sealer.open(stored, FINGERPRINT_KEY_PLACE);
}

function makeFingerprintKey(store: VaultStore, sealer: Sealer, random: Random) {
  const key = new Secret(random.bytes(FINGERPRINT_KEY_BYTES).toString('base64'));
  return store.keepFirstFingerprintKey(sealer.seal(key, FINGERPRINT_KEY_PLACE));
}

/** The keys that sign statements, sealed under the master key. A rotation keeps the public keys of old keys. */
import { generateKeyPairSync } from 'node:crypto';
import type { Clock } from '../../foundation/clock.ts';
import { invariant } from '../../foundation/invariant.ts';
import type { Random } from '../../foundation/random.ts';
import type { Sealer } from '../vault/create-vault.ts';
import { vaultKeyPlace } from '../vault/open-fingerprint-key.ts';
import type { PublicStatementKey, StatementKeyStore } from './statement-key-store.ts';
import { publicKeyOf, readPrivateKey, type StatementSigner, writePrivateKey } from './statement-seal.ts';

interface StatementKeyParts {
  readonly store: StatementKeyStore;
  readonly sealer: Sealer;
  readonly random: Random;
  readonly clock: Clock;
}

/** Returns the name of a private key in the vault's table of keys. */
export const statementKeyName = (keyId: string) => `statement/${keyId}`;
const placeOf = (keyId: string) => vaultKeyPlace(statementKeyName(keyId));

/** Opens the newest key, and generates the first key if there is none. */
export async function openStatementSigner(parts: StatementKeyParts): Promise<StatementSigner> {
  const { store, sealer } = parts;
  if ((await store.keys()).length === 0) await addKey(parts, true);
  const [newest] = await store.keys();
  const sealed = newest && (await store.sealed(newest.keyId));
  invariant(newest && sealed, 'statement key has no private key');
  return { keyId: newest.keyId, privateKey: readPrivateKey(sealer.open(sealed, placeOf(newest.keyId))) };
}

/** Later statements are signed with the new key. Earlier statements stay verifiable. */
export async function rotateStatementKey(parts: StatementKeyParts): Promise<PublicStatementKey> {
  return addKey(parts, false);
}

async function addKey({ store, sealer, random, clock }: StatementKeyParts, onlyFirst: boolean) {
  const { privateKey } = generateKeyPairSync('ed25519');
  const keyId = `S${random.bytes(8).toString('hex')}`;
  const key = { keyId, publicKey: publicKeyOf(privateKey), createdAt: clock.now() };
  await store.add(key, sealer.seal(writePrivateKey(privateKey), placeOf(keyId)), onlyFirst);
  return key;
}

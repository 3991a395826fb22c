/** What paying by card needs beside a store: a vault of the test's own, and limits. */
import type { CardParts } from '../../src/domain/payments/attempt-card.ts';
import { createVault } from '../../src/domain/vault/create-vault.ts';
import { createKeyring, createMasterKey } from '../../src/domain/vault/keyring.ts';
import type { Vault } from '../../src/domain/vault/vault.ts';
import { type Random, systemRandom } from '../../src/foundation/ids.ts';
import { Secret } from '../../src/foundation/secret.ts';

export function testVault(random: Random = systemRandom): Vault {
  const fingerprintKey = new Secret(Buffer.alloc(32, 7).toString('base64'));
  return createVault(createKeyring([createMasterKey(Buffer.alloc(32, 1))]), fingerprintKey, random);
}

/** Without limits, but for those of `change`. */
export function cardParts(change: Partial<CardParts> = {}): CardParts {
  return { vault: testVault(), defaultLimits: { card: 0, address: 0 }, onTooManyTries: () => {}, ...change };
}

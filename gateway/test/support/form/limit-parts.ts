/** The parts of a payment attempt except its store: a separate vault, and limits. */

import { type CountedAttempt, DEFAULT_ATTEMPT_LIMITS } from '../../../src/domain/payments/attempts/attempt-limits.ts';
import type { LimitParts } from '../../../src/domain/payments/attempts/payment-parts.ts';
import { createKeyring, createMasterKey, createVault } from '../../../src/domain/vault/create-vault.ts';
import type { Vault } from '../../../src/domain/vault/vault.ts';
import { type Random, systemRandom } from '../../../src/foundation/random.ts';
import { Secret } from '../../../src/foundation/secret.ts';

export function testVault(random: Random = systemRandom): Vault {
  const fingerprintKey = new Secret(Buffer.alloc(32, 7).toString('base64'));
  return createVault(createKeyring([createMasterKey(Buffer.alloc(32, 1))]), fingerprintKey, random);
}

/** The counter of an attempt without limits. */
export const UNCOUNTED: CountedAttempt = {
  hashes: { target: null, address: null },
  isSigned: true,
  limits: DEFAULT_ATTEMPT_LIMITS.development,
};

/** The parts without limits, except those in `change`. */
export function limitParts(change: Partial<LimitParts> = {}): LimitParts {
  return {
    vault: testVault(),
    defaultLimits: DEFAULT_ATTEMPT_LIMITS.development,
    onAttemptLimitReached: () => {},
    ...change,
  };
}

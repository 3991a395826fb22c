/** Merchant keys as values, for tests without a database. */
import { keysByPurpose, type MerchantKey, type MerchantKeys } from '../../../src/domain/merchants/merchant.ts';
import { Secret } from '../../../src/foundation/secret.ts';

export const NO_KEYS: MerchantKeys = keysByPurpose([]);

/** Creates a current API key that was never used. `change` overrides fields. Its id equals its text. */
export function testKey(text: string, change: Partial<Omit<MerchantKey, 'secret'>> = {}): MerchantKey {
  const times = { createdAt: 0, retiresAt: null, firstUsedAt: null, lastUsedAt: null };
  return { keyId: text, purpose: 'api', secret: new Secret(text), ...times, ...change };
}

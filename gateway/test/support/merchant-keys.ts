/** Keys of merchants as values, for tests that need them without a database behind them. */
import { keysByPurpose, type MerchantKey, type MerchantKeys } from '../../src/domain/merchants/merchant.ts';
import { Secret } from '../../src/foundation/secret.ts';

export const NO_KEYS: MerchantKeys = keysByPurpose([]);

/** An API key, current and never used; but for what `change` says. Its id is its text. */
export function testKey(text: string, change: Partial<Omit<MerchantKey, 'secret'>> = {}): MerchantKey {
  const times = { createdAt: 0, retiresAt: null, firstUsedAt: null, lastUsedAt: null };
  return { keyId: text, purpose: 'api', secret: new Secret(text), ...times, ...change };
}
